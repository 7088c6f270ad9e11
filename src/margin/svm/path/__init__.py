"""Machines for every price of errors."""
