"""Factors with constraints: independent sources, non-negative and sparse parts, gaps filled."""
