"""Losses summed over the rows of a linear model, without gradients."""

from margin.native.rows.stochastic import Floats, Rows


def row_value(rows: Rows, w: Floats, n_threads: int) -> float:
    """Weighted sum of the loss at ``w`` (intercept last); the same for any number of threads."""
    return float(rows.call("row_value", w, n_threads))
