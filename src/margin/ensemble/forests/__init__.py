"""Forests: many trees on random parts of the data, averaged."""
