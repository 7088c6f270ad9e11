"""Distance covariance of two variables of any dimension."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions.dependence._pair_distances import PairDistances, pair_distances


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
    :math:`O(n \log n)` time for two variables of one number each, otherwise :math:`O(n^2)`; in both
    cases O(n) memory.

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
    first, second = _pair("distance_covariance", x, y)
    (first, unit), (second, other) = _unit_scale(first), _unit_scale(second)
    value = np.sqrt(max(pair_distances(first, second).covariance(), 0.0))
    return float(value * np.sqrt(unit) * np.sqrt(other))


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
    return _correlation(_distances("distance_correlation", x, y))


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
    distances = _distances(owner, x, y)
    generator = source(owner, n_permutations, rng)
    observed, n = _correlation(distances), distances.first.n_rows
    start, above = distances.strength(), 0
    bar = start - 1e-12 * abs(start)
    for drawn in range(1, n_permutations + 1):
        above += distances.strength(generator.permutation(n)) >= bar
        if enough is not None and above >= enough:
            return IndependenceTest(observed, above / drawn)
    return IndependenceTest(observed, (1 + above) / (1 + n_permutations))


def _correlation(distances: PairDistances) -> float:
    own = distances.first.variance * distances.second.variance
    if not own > 0:
        return 0.0
    return float(np.sqrt(max(distances.covariance(), 0.0) / np.sqrt(own)))


def _distances(owner: str, x: ArrayLike, y: ArrayLike) -> PairDistances:
    """Distances in units that neither overflow nor vanish when they are squared."""
    first, second = _pair(owner, x, y)
    return pair_distances(_unit_scale(first)[0], _unit_scale(second)[0])


def _unit_scale(rows: Floats) -> tuple[Floats, float]:
    """Rows over the power of two below their largest number, and this power."""
    largest = max(rows.max(initial=0.0), -rows.min(initial=0.0))
    unit = 2.0 ** float(np.frexp(largest)[1] - 1)
    return rows / unit, unit


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
