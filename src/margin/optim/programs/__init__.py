"""Constrained programs: quadratic programs, conditions of optimality, Lagrangians."""
