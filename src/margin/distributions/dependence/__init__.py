"""Dependence of variables: distance correlation, and tests by permutation."""
