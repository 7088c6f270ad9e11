"""Paradoxes and biases: detectors and simulators."""
