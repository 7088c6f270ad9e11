"""Families of one discrete value: counts, states, observed values."""
