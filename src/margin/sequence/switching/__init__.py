"""Models whose law changes with a hidden regime."""
