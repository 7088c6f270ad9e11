"""Duals of machines and of logistic regression: pairs of multipliers, passes over coordinates."""
