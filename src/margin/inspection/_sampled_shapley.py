"""Shapley values of any model, by orders in which features become known."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats, Places
from margin.inspection._columns import column_names
from margin.inspection._explanation import Explanation

_MOST_CELLS = 2_000_000


def sampled_shapley(
    predict: Callable[[Any], Any],
    X: Any,
    background: Any,
    *,
    n_orders: int = 20,
    random_state: int = 0,
) -> Explanation:
    r"""What each column adds to each prediction of any model.

    Every row of the background starts an order of the columns, drawn at random, and its reverse;
    along it the values of the background row are replaced by those of the row that is explained,
    and each column is credited with the change it makes. The mean over all orders estimates

    .. math:: \phi_j = \sum_{S \not\ni j} \frac{|S|! (p - |S| - 1)!}{p!}
              \big(v(S \cup \{j\}) - v(S)\big)

    with :math:`v(S)` the mean prediction with the columns of :math:`S` known. The values and the
    base always add up to the prediction; without interactions they are exact.

    Parameters
    ----------
    predict : callable
        From a table like ``X`` to one number per row, or one column of numbers per output.
    X : array-like or frame of shape (n_rows, n_features)
        Rows to explain.
    background : array-like or frame of shape (n_background, n_features)
        Rows that unknown columns take their values from.
    n_orders : int, default=20
        Orders per row, rounded up so that every background row has as many; their reverses come
        on top.
    random_state : int, default=0
        Seed of the orders.

    Returns
    -------
    Explanation

    Notes
    -----
    Asks the model for ``2 n_orders (n_features + 1)`` rows per explained row.

    References
    ----------
    Štrumbelj and Kononenko (2014), Knowledge and Information Systems 41.

    Examples
    --------
    >>> import numpy as np
    >>> shown = sampled_shapley(lambda X: X @ [2.0, -1.0], np.ones((1, 2)), np.zeros((3, 2)))
    >>> shown.values.ravel(), shown.base
    (array([ 2., -1.]), array([0.]))
    """
    n_rows, p = np.shape(X)
    n_background = len(background)
    if not n_background or np.shape(background)[1] != p:
        need = f"at least one row of {p} columns"
        raise check.fail("sampled_shapley", "background", need, np.shape(background))
    if n_orders < 1:
        raise check.fail("sampled_shapley", "n_orders", "at least 1", n_orders)
    rng = np.random.default_rng(random_state)
    turns = np.repeat(np.arange(n_background), -(-n_orders // n_background))
    drawn = np.array([rng.permutation(p) for _ in turns])
    orders = np.concatenate([drawn, drawn[:, ::-1]])
    starts = np.concatenate([turns, turns])

    batch = max(1, _MOST_CELLS // (len(orders) * (p + 1) * max(p, 1)))
    parts = [
        _values(predict, X, background, np.arange(i, min(i + batch, n_rows)), orders, starts)
        for i in range(0, n_rows, batch)
    ]
    base = _numbers(predict(background)).mean(axis=0)
    values = np.concatenate(parts) if parts else np.zeros((0, p, len(base)))
    return Explanation(values, base, np.asarray(X), column_names(X, p))


def _values(
    predict: Callable[[Any], Any],
    X: Any,
    background: Any,
    rows: Places,
    orders: Places,
    starts: Places,
) -> Floats:
    """Mean change that each column makes, for some of the rows."""
    n_orders, p = orders.shape
    rank = np.argsort(orders, axis=1)
    # a column is known at step k of an order if its rank there is below k
    known = rank[:, None, :] < np.arange(p + 1)[None, :, None]
    shape = (len(rows), n_orders, p + 1)
    own = np.broadcast_to(rows[:, None, None], shape).ravel()
    other = np.broadcast_to(starts[None, :, None], shape).ravel()
    mask = np.broadcast_to(known, (len(rows), *known.shape)).reshape(-1, p)
    answers = _numbers(predict(_mixed(X, background, own, other, mask)))
    steps = np.diff(answers.reshape(*shape, -1), axis=2)
    ranks = np.broadcast_to(rank[None, :, :, None], (len(rows), n_orders, p, steps.shape[-1]))
    return np.asarray(np.take_along_axis(steps, ranks, axis=2).mean(axis=1))


def _mixed(X: Any, background: Any, own: Places, other: Places, mask: Array) -> Any:
    """Rows of which each column comes from ``X`` where known, else from the background."""
    if not hasattr(X, "iloc"):
        return np.where(mask, np.asarray(X)[own], np.asarray(background)[other])
    import pandas as pd

    both = pd.concat([X, background], ignore_index=True)
    places = np.where(mask, own[:, None], len(X) + other[:, None])
    columns = [
        both.iloc[:, j].take(places[:, j]).reset_index(drop=True) for j in range(both.shape[1])
    ]
    return pd.concat(columns, axis=1)


def _numbers(answers: Any) -> Floats:
    numbers = np.asarray(answers, dtype=np.float64)
    return numbers[:, None] if numbers.ndim == 1 else numbers
