"""Conjugate beliefs about the parameters of a family, and what they predict."""
