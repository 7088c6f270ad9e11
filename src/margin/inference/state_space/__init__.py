"""Processes on a line as states that move along it: filter and smoother in linear time."""
