"""Passes over rows: products, losses, moments, stochastic epochs."""
