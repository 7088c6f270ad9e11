"""Sequences, chains and worlds to walk in."""
