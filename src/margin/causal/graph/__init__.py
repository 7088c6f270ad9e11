"""Causal graphs: arrows, hidden common causes, interventions, and their file format."""
