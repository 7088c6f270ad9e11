"""Graphs with hidden common causes and selection: marks that all members of a class share."""
