"""Matrices with structure: Toeplitz, tridiagonal, tensor products."""
