"""Discriminants from class-conditional densities: linear, quadratic, Fisher's, any density."""
