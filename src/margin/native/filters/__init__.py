"""Kalman filters and smoothers, and regimes of switching models: compiled loops."""
