"""Passes over the duals of machines."""
