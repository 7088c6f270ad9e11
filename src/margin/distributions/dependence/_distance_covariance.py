"""Distance covariance of two variables of any dimension."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from margin.core import check, memory
from margin.core.types import Floats, Indices
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions.dependence._pair_products import (
    distance_products,
    distance_sums,
    squared_distances,
)


class IndependenceTest(NamedTuple):
    """How strong a dependence is, and how probable one as strong by chance."""

    statistic: float
    p_value: float


def distance_covariance(x: ArrayLike, y: ArrayLike) -> float:
    r"""Distance covariance :math:`\mathcal V(x, y) \ge 0` of a sample (distributions.19).

    .. math:: \mathcal V^2 = \frac1{n^2} \sum_{kl} [C A C]_{kl} [C B C]_{kl}, \qquad
              A_{kl} = \|x_k - x_l\|, \quad B_{kl} = \|y_k - y_l\|

    with the centring matrix :math:`C = I - \frac1n 1 1^\top`. In the limit it is zero if and only
    if the variables are independent. (With squared distances it would be twice the covariance.)

    Parameters
    ----------
    x, y : array-like of shape (n,) or (n, d)
        Rows that belong together; the dimensions may differ.

    Notes
    -----
    :math:`O(n \log n)` time and O(n) memory for two variables of one number each, otherwise
    :math:`O(n^2)` of both.

    References
    ----------
    Székely, Rizzo and Bakirov (2007), Measuring and testing dependence by correlation of distances.
    Huo and Székely (2016), Fast computing for distance covariance.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(-2.0, 3.0)
    >>> round(distance_covariance(x, x**2), 6)
    0.669328
    """
    return float(np.sqrt(_squared("distance_covariance", x, y)))


def distance_correlation(x: ArrayLike, y: ArrayLike) -> float:
    r"""Distance correlation :math:`\mathcal V(x,y)/\sqrt{\mathcal V(x,x)\mathcal V(y,y)}`.

    (distributions.19.) Between 0 and 1, and 1 for :math:`y = a + b\,x\,O` with an orthogonal
    :math:`O`; 0 where a variable is constant. As :func:`distance_covariance`.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(-2.0, 3.0)
    >>> round(distance_correlation(x, x**2), 10)
    0.5159234569
    """
    first, second = _pair("distance_correlation", x, y)
    if first.shape[1] == second.shape[1] == 1:
        across, own = _on_lines(first[:, 0], second[:, 0])
    else:
        _room_for("distance_correlation", len(first))
        A, B = _centred(first), _centred(second)
        across, own = float(np.vdot(A, B)), float(np.vdot(A, A)) * float(np.vdot(B, B))
        across, own = across / A.size, own / A.size**2
    return float(np.sqrt(max(across, 0.0) / np.sqrt(own))) if own > 0 else 0.0


def _on_lines(a: Floats, b: Floats) -> tuple[float, float]:
    """Squared covariance of distances on two lines, and the product of both with themselves."""
    sums, n = (distance_sums(a), distance_sums(b)), len(a)
    products = (distance_products(a, b), squared_distances(a), squared_distances(b))
    values = [
        product / n**2 - 2 * float(p @ q) / n**3 + p.sum() * q.sum() / n**4
        for product, (p, q) in zip(
            products, (sums, (sums[0], sums[0]), (sums[1], sums[1])), strict=True
        )
    ]
    # Of a constant rounding alone is left.
    own = [
        0.0 if value <= 1e-14 * product / n**2 else value
        for value, product in zip(values[1:], products[1:], strict=True)
    ]
    return values[0], own[0] * own[1]


def distance_correlation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    n_permutations: int = 999,
    enough: int | None = None,
    rng: Seed = 0,
) -> IndependenceTest:
    """Permutation test of independence by distance correlation (distributions.19).

    Parameters
    ----------
    x, y : array-like of shape (n,) or (n, d)
    n_permutations : int
        Orders of ``y`` to compare with; the p-value is at least one over one more than these.
    enough : int, optional
        Orders at least as dependent as the data that end the test early; the p-value is then this
        number over the orders drawn, and as valid as that of all of them.
    rng : numpy.random.Generator or int

    Returns
    -------
    IndependenceTest
        ``statistic`` and ``p_value``.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1.0, 1.0, 40)
    >>> distance_correlation_test(x, x**2, n_permutations=199).p_value
    0.005
    """
    owner = "distance_correlation_test"
    if n_permutations < 1:
        raise check.fail(owner, "n_permutations", "an integer of at least 1", n_permutations)
    if enough is not None and enough < 1:
        raise check.fail(owner, "enough", "None or an integer of at least 1", enough)
    first, second = _pair(owner, x, y)
    generator = source(owner, n_permutations, rng)
    observed = distance_correlation(first, second)
    if first.shape[1] == second.shape[1] == 1:
        a, b = first[:, 0], second[:, 0]
        sums = distance_sums(a), distance_sums(b)

        def strength(order: Indices) -> float:
            along = 2 * float(sums[0] @ sums[1][order]) / len(a)
            return distance_products(a, b[order]) - along

    else:
        A, B = _centred(first), _centred(second)

        def strength(order: Indices) -> float:
            return float(np.vdot(A, B[np.ix_(order, order)]))

    start, above = strength(np.arange(len(first))), 0
    for drawn in range(1, n_permutations + 1):
        above += strength(generator.permutation(len(first))) >= start - 1e-12 * abs(start)
        if enough is not None and above >= enough:
            return IndependenceTest(observed, above / drawn)
    return IndependenceTest(observed, (1 + above) / (1 + n_permutations))


def _squared(owner: str, x: ArrayLike, y: ArrayLike) -> float:
    """Squared distance covariance, at least 0."""
    first, second = _pair(owner, x, y)
    n = len(first)
    if first.shape[1] == second.shape[1] == 1:
        a, b = first[:, 0], second[:, 0]
        along, across = distance_sums(a), distance_sums(b)
        value = distance_products(a, b) / n**2 - 2 * float(along @ across) / n**3
        value += along.sum() * across.sum() / n**4
    else:
        _room_for(owner, n)
        value = float(np.sum(_centred(first) * _centred(second))) / n**2
    return max(float(value), 0.0)


def _room_for(owner: str, n: int) -> None:
    need, free = 5 * 8 * n**2, memory.available()
    if free is not None and need > free:
        raise MemoryError(
            f"{owner}: matrices of {n} by {n} distances need {need / 2**30:.1f} GiB and this "
            f"process may use {free / 2**30:.1f} GiB; take fewer rows, or columns one by one"
        )


def _centred(rows: Floats) -> Floats:
    distances = cdist(rows, rows)
    means = distances.mean(axis=0)
    return np.asarray(distances - means - means[:, None] + means.mean())


def _pair(owner: str, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    both = []
    for name, values in (("x", x), ("y", y)):
        rows = numbers(owner, name, values)
        rows = rows[:, None] if rows.ndim == 1 else rows
        if rows.ndim != 2 or not np.isfinite(rows).all() or not len(rows):
            raise check.fail(owner, name, "finite rows, at least one", f"shape {rows.shape}")
        both.append(rows)
    if len(both[0]) != len(both[1]):
        raise check.fail(owner, "y", f"of {len(both[0])} rows", len(both[1]))
    return both[0], both[1]
