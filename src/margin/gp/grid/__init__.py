"""Processes on Cartesian grids, and interpolation there."""
