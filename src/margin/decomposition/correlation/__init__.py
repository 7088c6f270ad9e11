"""Two tables at once: canonical correlations, exact, with kernels, and as a density."""
