"""Answers: tables, assignments, mixtures of normals, and the cost of finding them."""
