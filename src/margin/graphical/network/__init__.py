"""Bayesian networks: building, fitting, sampling, classification."""
