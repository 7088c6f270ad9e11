"""Kalman filters and smoothers: compiled loops."""
