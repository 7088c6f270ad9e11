"""Distances of all pairs of rows, summed without keeping them."""
