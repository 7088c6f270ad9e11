"""Kernels of strings and sequences."""
