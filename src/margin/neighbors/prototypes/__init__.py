"""Fewer rows that answer as well: condensed and edited sets."""
