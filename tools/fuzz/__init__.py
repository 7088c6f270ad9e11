"""Awkward tables thrown at every estimator: ``python -m tools.fuzz --trials 1000``.

A trial is a number: the same number makes the same estimator, table and target. It runs in a
forked child with limits on time and memory. Right answers and clear errors are fine; a crash, a
fit that does not end, a silent NaN or a raw error is a fault.
"""
