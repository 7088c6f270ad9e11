"""Mixtures of a fixed number of components: Gaussian, of any family, of regressions, of experts."""
