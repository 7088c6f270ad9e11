"""Paths, orders, trees, matchings and isomorphism."""
