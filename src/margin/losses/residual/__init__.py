"""Losses of the difference between target and prediction."""
