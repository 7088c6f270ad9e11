"""Nearest points: trees, products with all points, sums of kernels."""
