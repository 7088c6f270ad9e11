"""Kernels of the rows of a table that are no function of the distance alone."""
