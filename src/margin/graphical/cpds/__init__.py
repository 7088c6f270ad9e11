"""Conditional distributions of a node given its parents."""
