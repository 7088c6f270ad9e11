"""Kernels of objects by their parts."""
