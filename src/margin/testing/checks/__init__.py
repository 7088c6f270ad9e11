"""What every estimator is held to."""
