"""Gradient boosting and stage-wise additive models."""
