"""Least squares and ridge: the cheapest factorisation that is accurate enough."""
