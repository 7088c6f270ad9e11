"""Families of vectors: normal, Student, proportions, vectors of counts."""
