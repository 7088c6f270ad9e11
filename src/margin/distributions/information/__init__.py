"""Entropy, divergence, mutual information, Fisher information."""
