"""Epochs of mini-batch steps that remember earlier gradients."""

from margin.native.rows.stochastic import Floats, Indices, Rows

AVERAGED, HEAVY_BALL, NESTEROV, ADAPTIVE = range(4)


def momentum_epoch(
    kind: int,
    momentum: float,
    rows: Rows,
    order: Indices,
    batch: int,
    rate: Floats,
    l2: float,
    intercept: bool,
    w: Floats,
    first: Floats,
    second: Floats,
    *,
    second_momentum: float = 0.999,
    epsilon: float = 1e-8,
    taken: int = 0,
) -> None:
    """Visit rows in ``order``, ``batch`` at a time, moving ``w`` (intercept last) in place.

    ``first`` is the averaged gradient (``AVERAGED``, ``ADAPTIVE``) or the velocity, ``second`` the
    running mean of squared gradients (``ADAPTIVE`` only); ``taken`` counts the steps of earlier
    epochs, for the correction of young averages.
    """
    rows.call(
        "momentum",
        order,
        batch,
        rate,
        l2,
        intercept,
        w,
        first,
        second,
        head=(kind, momentum, second_momentum, epsilon, taken),
    )
