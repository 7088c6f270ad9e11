"""Epochs of SAG and SAGA: a table with the last slope of every row."""

import numpy as np

from margin.native.rows.stochastic import Floats, Indices, Rows


def saga_epoch(
    rows: Rows,
    order: Indices,
    table_rows: int,
    rate: float,
    l1: float,
    l2: float,
    intercept: bool,
    w: Floats,
    slopes: Floats,
    gradient: Floats,
    *,
    unbiased: bool = True,
) -> None:
    """Visit rows in ``order``, moving ``w``, ``slopes`` and ``gradient`` in place.

    ``gradient`` (intercept last) is the sum of ``slopes[i] * x[i]`` over ``table_rows`` rows,
    divided by their number. ``unbiased`` is SAGA, otherwise SAG.
    """
    steps = np.array([rate] if len(order) else [], dtype=np.float64)
    rows.call(
        "saga",
        order,
        table_rows,
        steps,
        l1,
        l2,
        intercept,
        w,
        slopes,
        gradient,
        head=(unbiased,),
    )
