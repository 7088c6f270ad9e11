"""Linear equations with noise that is not normal: orders by likelihood ratios or by ICA."""
