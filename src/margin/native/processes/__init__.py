"""Sweeps over the clusters of rows."""
