"""Graphs from decomposable scores: greedy equivalence search, with interventions too."""
