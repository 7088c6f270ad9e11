"""Markov chains: counting, long runs, ranking of pages, mixtures of chains."""
