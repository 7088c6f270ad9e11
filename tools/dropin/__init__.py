"""Scikit-learn's own tests, run with margin's class in the place of its namesake.

``python -m tools.dropin`` takes the test files that the installed scikit-learn ships, puts margin's
classes and functions where they import their own of the same name, runs them, and compares the
outcome with the list of differences we chose on purpose. Nothing of theirs is kept.
"""
