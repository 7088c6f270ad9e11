"""Loops over hidden chains: messages, best paths, draws, segments, moments."""
