"""Explicit features of kernels, exact and approximate."""
