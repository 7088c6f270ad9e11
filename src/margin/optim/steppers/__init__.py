"""Solvers that step along directions: gradients, Newton and its kin, proximal steps."""
