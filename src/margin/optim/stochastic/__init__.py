"""Solvers that see a few rows at a time, their schedules and averages."""
