"""Several regressions at once: mixtures of them, and experts with a gate."""
