"""Frames at the border: columns by name, as numbers, levels and dummies."""
