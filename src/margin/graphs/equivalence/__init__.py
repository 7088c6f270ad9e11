"""Graphs that say the same: equivalence classes, orientation, enumeration."""
