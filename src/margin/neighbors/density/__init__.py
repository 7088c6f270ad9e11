"""Densities from data: sums of kernels, and histograms."""
