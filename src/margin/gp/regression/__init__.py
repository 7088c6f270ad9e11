"""Regression: one target, several targets, and ridge regression with kernels."""
