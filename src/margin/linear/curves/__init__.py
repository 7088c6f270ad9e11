"""Curves and surfaces: bases, additive models, splines, wavelets, local regression."""
