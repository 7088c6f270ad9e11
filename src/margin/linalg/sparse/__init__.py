"""Sparse factorisations."""
