"""Least squares in its variants: ordinary, ridge, robust, Bayesian, constrained; also counts."""
