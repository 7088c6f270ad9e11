"""Mixtures of any families: distributions, columns of several kinds, priors."""
