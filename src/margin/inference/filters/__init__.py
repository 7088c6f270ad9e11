"""States that move and are seen through noise: Kalman, nonlinear, particle and regime filters."""
