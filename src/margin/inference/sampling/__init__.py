"""Inference by draws."""
