"""Checks of the repository itself: nothing here is installed with margin."""
