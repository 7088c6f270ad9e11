"""Bayesian optimisation."""
