"""Bayesian linear regression: posterior and evidence."""
