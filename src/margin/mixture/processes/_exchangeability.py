"""Partitions of a few things, and whether their order matters to a law."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Indices

_MOST = 8  # 40 320 orders


def set_partitions(n: int) -> Iterator[Indices]:
    """Every partition of ``n`` things, as labels numbered in the order of their first things.

    Examples
    --------
    >>> [z.tolist() for z in set_partitions(3)]
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    if n < 0:
        raise check.fail("set_partitions", "n", "an integer of at least 0", n)
    labels = np.zeros(n, dtype=np.int64)

    def grown(i: int, most: int) -> Iterator[Indices]:
        if i == n:
            yield labels.copy()
            return
        for label in range(most + 2):
            labels[i] = label
            yield from grown(i + 1, max(most, label))

    yield from grown(0, -1)


def exchangeability_gap(
    log_prob: Callable[[Any], float], values: Sequence[Any], *, max_orders: int = 5040
) -> float:
    r"""Largest difference of a log probability over the orders of its arguments (mixture.15).

    A sequence is exchangeable when :math:`p(x_1, \dots, x_n) = p(x_{\pi(1)}, \dots, x_{\pi(n)})`
    for every permutation; by De Finetti's theorem an infinite one is then a mixture of independent
    draws, :math:`p(x) = \int \prod_i G(x_i)\, dP(G)`.

    Parameters
    ----------
    log_prob : callable
        Of a sequence of values.
    values : sequence
        At most eight of them.
    max_orders : int
        Orders looked at, the first ones.

    Returns
    -------
    float
        0, up to rounding, where the order does not matter.

    Examples
    --------
    >>> law = lambda x: sum((i + 1) * v for i, v in enumerate(x))
    >>> exchangeability_gap(law, [1.0, 2.0]), exchangeability_gap(sum, [1.0, 2.0])
    (1.0, 0.0)
    """
    if not 1 <= len(values) <= _MOST:
        raise check.fail("exchangeability_gap", "values", f"1 to {_MOST} values", len(values))
    least, most = np.inf, -np.inf
    for count, order in enumerate(permutations(values)):
        if count == max_orders:
            break
        value = float(log_prob(np.asarray(order)))
        least, most = min(least, value), max(most, value)
    return float(most - least) if most > -np.inf else 0.0
