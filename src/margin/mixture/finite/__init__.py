"""Mixtures of a fixed number of components, Gaussian or of any family, by EM and VB."""
