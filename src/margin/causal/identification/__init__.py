"""What can be known of an effect without an experiment: formulas, and why there is none."""
