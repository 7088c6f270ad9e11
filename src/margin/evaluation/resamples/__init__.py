"""Scores of resampled rows, from work that is done once for all resamples."""
