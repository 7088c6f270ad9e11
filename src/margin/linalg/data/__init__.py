"""Matrices of data: centring, moments, distances."""
