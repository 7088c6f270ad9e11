"""Estimation: recipes for any family, priors from data, and what an estimate is worth."""
