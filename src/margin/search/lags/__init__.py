"""Tests between columns of a series and its past."""
