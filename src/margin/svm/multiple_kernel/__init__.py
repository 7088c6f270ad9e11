"""Machines with a kernel put together from several."""
