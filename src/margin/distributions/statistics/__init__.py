"""Sufficient statistics: sums over rows that add up over batches, for one member or for many."""
