"""Passes over the rows of mixtures."""
