"""How many components of a finite Dirichlet mixture are realised."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Indices


def expected_clusters(n: int, n_components: int, alpha: float) -> float:
    r"""Expected number of components that ``n`` rows realise (mixture.08).

    .. math:: K\Big(1 - \prod_{i<n} \frac{\alpha - \alpha/K + i}{\alpha + i}\Big) \qquad
              \text{for weights} \sim \mathrm{Dir}(\alpha/K, \dots, \alpha/K)

    For many components it tends to the expected number of tables of
    :class:`ChineseRestaurantProcess`.

    Parameters
    ----------
    n, n_components : int
    alpha : float
        Sum of the Dirichlet parameters.

    Examples
    --------
    >>> expected_clusters(1, 5, 2.0)
    1.0
    >>> round(expected_clusters(10, 1_000_000, 1.0), 4)
    2.929
    """
    _check(n_components, alpha)
    i = np.arange(n)
    # 1 - prod(1 - a_i), without cancellation where the a_i are tiny
    unrealised = np.log1p(-(alpha / n_components) / (alpha + i)).sum() if n_components > 1 else 0.0
    if n_components == 1:
        return float(n > 0)
    return float(np.round(-n_components * np.expm1(unrealised), 12))


def sample_clusters(n: int, n_components: int, alpha: float, rng: Any = None) -> Indices:
    """Components of ``n`` rows of a finite Dirichlet mixture, by number (mixture.08).

    Examples
    --------
    >>> sample_clusters(4, 1, 1.0, rng=0)
    array([0, 0, 0, 0])
    """
    _check(n_components, alpha)
    rng = generator(rng)
    weights = rng.dirichlet(np.full(n_components, alpha / n_components))
    return np.asarray(rng.choice(n_components, size=n, p=weights))


def _check(n_components: int, alpha: float) -> None:
    if n_components < 1:
        raise check.fail("expected_clusters", "n_components", "at least 1", n_components)
    if not (np.isfinite(alpha) and alpha > 0):
        raise check.fail("expected_clusters", "alpha", "a number above 0", alpha)
