"""Distributions made of others: mixtures, and products of unlike columns."""
