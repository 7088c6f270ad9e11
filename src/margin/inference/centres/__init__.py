"""Centres of rows: passes over a table, the alternation of k-means, and clusters to start from."""
