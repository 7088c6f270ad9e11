"""Expectation maximisation: the driver, its measures of convergence, and acceleration."""
