"""Graphs drawn, and written for other programs."""
