"""Autoregression: fixed and time-varying coefficients."""
