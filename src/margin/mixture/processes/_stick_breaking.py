"""Weights of a Dirichlet process, broken off a stick one after the other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats


@dataclass(frozen=True)
class StickBreaking:
    r"""The law GEM of the weights of a Dirichlet process (mixture.11).

    .. math:: \rho_k = v_k \prod_{j<k} (1 - v_j), \qquad v_k \sim \mathrm{Beta}(1, \alpha)

    Parameters
    ----------
    alpha : float
        Concentration :math:`\alpha > 0`.

    Examples
    --------
    >>> StickBreaking(1.0).mean(3)
    array([0.5  , 0.25 , 0.125])
    >>> StickBreaking(1.0).expected_rest(3)
    0.125
    """

    alpha: float

    def __post_init__(self) -> None:
        check.params(self, positive="alpha")

    def sample(self, k: int, rng: Any = None) -> Floats:
        """The first ``k`` weights; what they leave of one belongs to all others."""
        return broken(generator(rng).beta(1.0, self.alpha, size=k))

    def mean(self, k: int) -> Floats:
        r"""Expected weights :math:`\frac1{1+\alpha} (\frac\alpha{1+\alpha})^{k-1}`."""
        ratio = self.alpha / (1.0 + self.alpha)
        return np.asarray(ratio ** np.arange(k) / (1.0 + self.alpha))

    def expected_rest(self, k: int) -> float:
        r"""Expected weight beyond the first ``k``: what a truncation leaves out."""
        return float((self.alpha / (1.0 + self.alpha)) ** k)


def broken(shares: ArrayLike) -> Floats:
    r"""Weights :math:`v_k \prod_{j<k} (1 - v_j)` of shares of what is left, along the last axis.

    Examples
    --------
    >>> broken([0.5, 0.5, 1.0])
    array([0.5 , 0.25, 0.25])
    """
    shares = np.asarray(shares, dtype=np.float64)
    left = np.cumprod(1.0 - shares, axis=-1)
    before = np.concatenate([np.ones((*shares.shape[:-1], 1)), left[..., :-1]], axis=-1)
    return np.asarray(shares * before)


def dirichlet_by_sticks(concentration: ArrayLike, n: int = 1, rng: Any = None) -> Floats:
    r"""Draws of a Dirichlet distribution, one coordinate after the other (mixture.09).

    .. math:: v_k \sim \mathrm{Beta}\Big(a_k, \sum_{j>k} a_j\Big), \qquad
              \rho_k = v_k \prod_{j<k} (1 - v_j)

    Parameters
    ----------
    concentration : array-like of shape (K,)
        :math:`a_k > 0`.
    n : int
        How many draws.
    rng : None, int or Generator

    Returns
    -------
    ndarray of shape (n, K)

    Examples
    --------
    >>> import numpy as np
    >>> bool(np.allclose(dirichlet_by_sticks([1.0, 2.0, 3.0], 5, rng=0).sum(axis=1), 1.0))
    True
    """
    a = np.asarray(concentration, dtype=np.float64)
    if a.ndim != 1 or not a.size or not (np.isfinite(a) & (a > 0)).all():
        need = "a vector of numbers above 0"
        raise check.fail("dirichlet_by_sticks", "concentration", need, concentration)
    rest = a.sum() - np.cumsum(a)
    shares = np.ones((n, len(a)))
    if len(a) > 1:
        shares[:, :-1] = generator(rng).beta(a[:-1], np.maximum(rest[:-1], 1e-300), (n, len(a) - 1))
    return broken(shares)
