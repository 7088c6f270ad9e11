"""The Hilbert–Schmidt test of independence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import gammaincc

from margin.core import check
from margin.core.types import Floats
from margin.search.structure._independence import IndependenceTest, TestResult
from margin.search.structure.dependence._kernel_test import gram

P_VALUES = ("gamma", "permutation")


@dataclass(frozen=True)
class GammaNull:
    """A statistic and the gamma distribution that it follows under independence.

    Parameters
    ----------
    statistic, mean, variance : float
        The statistic; mean and variance of the null.
    """

    statistic: float
    mean: float
    variance: float

    @property
    def p_value(self) -> float:
        """Upper tail; one where the null has no spread."""
        if not (self.mean > 0 and self.variance > 0):
            return 1.0
        shape, scale = self.mean**2 / self.variance, self.variance / self.mean
        return float(gammaincc(shape, max(self.statistic, 0.0) / scale))

    @property
    def surprise(self) -> float:
        """Standard deviations above the mean: compares where p-values are all zero."""
        spread = np.sqrt(self.variance)
        return float((self.statistic - self.mean) / spread) if spread > 0 else 0.0


def hsic_gamma(X: Floats, Y: Floats) -> GammaNull:
    r"""HSIC of two blocks of columns with the moments of its null law.

    :math:`n \cdot \mathrm{HSIC} = n^{-1} \operatorname{tr} \tilde K \tilde L`, and the first two
    moments that permuting the rows gives to leading order.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> hsic_gamma(x, x**2).p_value < 1e-3
    True
    """
    K, L = gram(X), gram(Y)
    n = len(K)
    centred = _centred(K) * _centred(L)
    off = n * (n - 1.0)
    mean_k, mean_l = (K.sum() - n) / off, (L.sum() - n) / off
    mean = 1.0 + mean_k * mean_l - mean_k - mean_l
    spread = float((centred**2).sum() - (np.diag(centred) ** 2).sum()) / off
    factor = 2.0 * (n - 4.0) * (n - 5.0) / ((n - 2.0) * (n - 3.0))
    return GammaNull(float(centred.sum()) / n, float(mean), factor * spread * n / (n - 1.0))


@dataclass(frozen=True, eq=False)
class HSIC(IndependenceTest):
    r"""Test of any dependence of two columns, without a condition (graphical.32).

    :math:`\mathrm{HSIC} = n^{-2} \operatorname{tr} \tilde K \tilde L` with centred Gram matrices of
    Gaussian kernels, whose widths are median distances.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        Columns of numbers; a test uses the rows that know both of its columns.
    names : tuple
        Names of the columns; their numbers by default.
    p_value : {"gamma", "permutation"}
        A gamma distribution with the moments of the null, or permuted rows.
    n_permutations : int
        Most permutations.
    enough : int
        Permutations at least as dependent as the data that end the test early; the p-value is
        then this number over the permutations made, and as valid as that of all of them.
    seed : int
        Seed of the permutations: the same for every pair, whatever the order of the tests.

    Notes
    -----
    Time and memory grow with the square of the rows. A permutation takes time linear in the rows:
    the Gram matrices are written as products of a few columns each. For conditional tests see
    :class:`KCI`.

    References
    ----------
    Gretton et al., "A kernel statistical test of independence", NIPS 2007. Besag and Clifford,
    "Sequential Monte Carlo p-values", Biometrika 78 (1991).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 60)
    >>> HSIC(np.column_stack([x, x**2]))(0, 1).p_value < 1e-3
    True
    """

    values: Floats
    names: tuple[Any, ...] = field(default=())
    p_value: str = "gamma"
    n_permutations: int = 1000
    enough: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        if self.p_value not in P_VALUES:
            raise check.fail("HSIC", "p_value", f"one of {P_VALUES}", self.p_value)
        for name in ("n_permutations", "enough"):
            if getattr(self, name) < 1:
                raise check.fail("HSIC", name, "an integer of at least 1", getattr(self, name))
        if not self.names:
            object.__setattr__(self, "names", tuple(range(self.values.shape[1])))

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        if len(given):
            raise check.fail("HSIC", "given", "empty (KCI takes conditions)", list(given))
        X = self.values[~np.isnan(self.values[:, [i, j]]).any(axis=1)]
        if len(X) < 8:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        if self.p_value == "gamma":
            null = hsic_gamma(X[:, [i]], X[:, [j]])
            return TestResult(null.statistic / len(X), 0.0, null.p_value)
        F, G = (low_rank(gram(X[:, [c]])) for c in (i, j))
        rng = np.random.default_rng(self.seed)
        value = float(((F.T @ G) ** 2).sum())
        # Rounding must not make a permutation that changes nothing look smaller.
        bar = value * (1 - 1e-10)
        above = 0
        for drawn in range(1, self.n_permutations + 1):
            above += float(((F.T @ G[rng.permutation(len(X))]) ** 2).sum()) >= bar
            if above >= self.enough:
                return TestResult(value / len(X) ** 2, 0.0, above / drawn)
        return TestResult(value / len(X) ** 2, 0.0, (above + 1) / (self.n_permutations + 1))


def low_rank(K: Floats, tol: float = 1e-11) -> Floats:
    r"""Centred rows F with :math:`F F^\top = C K C`, by Cholesky with the largest pivot first.

    Of a smooth kernel few columns are left before the trace falls below ``tol`` of what it was.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 50)
    >>> F = low_rank(np.exp(-((x[:, None] - x) ** 2)))
    >>> F.shape[1] < 15
    True
    """
    left = np.diag(K).copy()
    rows = np.empty((len(K), len(K)))
    total, rank = left.sum(), 0
    while rank < len(K) and left.sum() > tol * total:
        at = int(np.argmax(left))
        done = rows[:rank]
        rows[rank] = (K[at] - done[:, at] @ done) / np.sqrt(left[at])
        left = np.maximum(left - rows[rank] ** 2, 0.0)
        left[at] = 0.0
        rank += 1
    F = rows[:rank].T
    return np.ascontiguousarray(F - F.mean(axis=0))


def _centred(K: Floats) -> Floats:
    rows = K - K.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))
