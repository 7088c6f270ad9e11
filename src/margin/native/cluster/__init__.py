"""Centres of rows, and merges of clusters."""
