"""Trees of clusters: merges from below, splits from above, and their picture."""
