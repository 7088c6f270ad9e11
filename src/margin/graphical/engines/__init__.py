"""Engines: evidence in, answers out, one for each kind of model."""
