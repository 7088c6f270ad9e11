"""Kernels of the distance between two points, of infinite and of compact support."""
