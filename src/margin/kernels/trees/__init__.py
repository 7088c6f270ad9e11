"""Kernels of ordered labelled trees."""
