"""Factorisations and least squares."""
