"""Causes from invariance: what predicts equally well in every environment."""
