"""The kernel test of conditional independence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from margin.core import check, threads
from margin.core.types import Floats
from margin.kernels import RBF
from margin.search.structure._independence import IndependenceTest, TestResult
from margin.search.structure.dependence._feature_regression import (
    feature_moments,
    residual_features,
)
from margin.search.structure.dependence._hsic import GammaNull
from margin.search.structure.dependence._kernel_factor import (
    gaussian_factor,
    median_width,
    product_moments,
)
from margin.search.structure.dependence._random_features import gaussian_features

METHODS = ("exact", "random")
_RIDGE, _FEATURE_RIDGE = 1e-3, 1e-13
_SHARED_ROWS = 4000  # from so many on, products of features are worth a second thread
_FEW = 0.35  # share of the rows up to which features are cheaper than the matrices


@dataclass(frozen=True, eq=False)
class KCI(IndependenceTest):
    r"""Test of any dependence that is left of two columns given others (graphical.32).

    With :math:`R = \epsilon n (\tilde K_Z + \epsilon n I)^{-1}`, what a kernel ridge regression on
    the condition leaves of the Gram matrices is :math:`A = R \tilde K_{XZ} R` and
    :math:`B = R \tilde K_Y R`, and

    .. math:: T = \operatorname{tr} A B, \quad \operatorname{E} T = \sum_s A_{ss} B_{ss}, \quad
        \operatorname{var} T = 2 \sum_{st} A_{st}^2 B_{st}^2

    under independence, where T is compared with the gamma distribution of these moments.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        Columns of numbers; a test uses the rows that know all of its columns.
    names : tuple
        Names of the columns; their numbers by default.
    method : {"exact", "random"}
        Gram matrices, or random Fourier features of the same kernels.
    n_features : int
        Random features of the condition; those of the two columns are a tenth of it, at least 5.
    ridge : float, optional
        Regularisation per row of the regression on the condition; 1e-3 over the number of rows for
        Gram matrices, as in the first reference, and 1e-13 for random features. Whatever of the
        condition the regression leaves looks like dependence, the more rows the more.
    seed : int
        Seed of the random features.

    Notes
    -----
    Widths are median distances, of at most 2 000 rows. Exact matrices are products of the m
    features that leave nothing of them but rounding: O(n^2 m) time and O(n m) memory, no more with
    blocks of rows than a block; whole matrices, O(n^3) and O(n^2), where many columns would need
    more than a third of the rows. O(n) with random features.

    References
    ----------
    Zhang et al., "Kernel-based conditional independence test and application in causal discovery",
    UAI 2011. Strobl, Zhang and Visweswaran, "Approximate kernel-based conditional independence
    tests for fast non-parametric causal discovery", J. Causal Inference 7 (2019).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=200)
    >>> x, y = z**2 + 0.5 * rng.normal(size=200), np.abs(z) + 0.5 * rng.normal(size=200)
    >>> test = KCI(np.column_stack([x, y, z]))
    >>> test(0, 1).p_value < 0.001, test(0, 1, [2]).p_value > 0.05
    (True, True)
    """

    values: Floats
    names: tuple[Any, ...] = field(default=())
    method: str = "exact"
    n_features: int = 100
    ridge: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise check.fail("KCI", "method", f"one of {METHODS}", self.method)
        if self.ridge is not None and not self.ridge > 0:
            raise check.fail("KCI", "ridge", "a number above 0", self.ridge)
        if self.n_features < 1:
            raise check.fail("KCI", "n_features", "an integer of at least 1", self.n_features)
        if not self.names:
            object.__setattr__(self, "names", tuple(range(self.values.shape[1])))

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        used = [i, j, *given]
        X = self.values[~np.isnan(self.values[:, used]).any(axis=1)][:, used]
        if len(X) < 8:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        X = _standardised(X)
        measure = exact_null if self.method == "exact" else self._random_null
        usual = _RIDGE / len(X) if self.method == "exact" else _FEATURE_RIDGE
        ridge = usual if self.ridge is None else self.ridge
        alone = self.method == "random" or len(X) < _SHARED_ROWS
        with threads.single_blas() if alone else nullcontext():
            null = measure(X[:, [0, *range(2, len(used))]], X[:, [1]], X[:, 2:], ridge)
        return TestResult(null.statistic, 0.0, null.p_value)

    def _random_null(self, XZ: Floats, Y: Floats, Z: Floats, ridge: float) -> GammaNull:
        rng = np.random.default_rng(self.seed)
        few = max(5, self.n_features // 10)
        first, second = (gaussian_features(block, few, rng) for block in (XZ, Y))
        condition = gaussian_features(Z, self.n_features, rng) if Z.shape[1] else None
        A, B = residual_features((first, second), condition, ridge)
        value, mean, squares = feature_moments(A, B)
        return GammaNull(value, mean, 2.0 * squares)


def exact_null(XZ: Floats, Y: Floats, Z: Floats, ridge: float) -> GammaNull:
    """Statistic and moments of the null, exact to rounding."""
    n = len(Y)
    factors = []
    for block in (Y, Z, XZ) if Z.shape[1] else (Y, XZ):
        F = gaussian_factor(block, median_width(block), most=int(_FEW * n))
        if F is None:
            return _dense_null(XZ, Y, Z, ridge)
        factors.append(F - F.mean(axis=0))
    G, F = factors[0], factors[-1]
    if Z.shape[1]:
        C = factors[1]
        inner = cho_factor(C.T @ C + ridge * n * np.eye(C.shape[1]))
        F, G = (block - C @ cho_solve(inner, C.T @ block) for block in (F, G))
    value, mean, squares = product_moments(F, G)
    return GammaNull(value, mean, 2.0 * squares)


def _dense_null(XZ: Floats, Y: Floats, Z: Floats, ridge: float) -> GammaNull:
    """The same from whole Gram matrices."""
    A, B = _gram(XZ), _gram(Y)
    if Z.shape[1]:
        n = len(Z)
        factor = cho_factor(_gram(Z) + ridge * n * np.eye(n))
        clear = ridge * n * cho_solve(factor, np.eye(n))
        A, B = clear @ A @ clear, clear @ B @ clear
    product = A * B
    return GammaNull(
        float(product.sum()), float(np.trace(product)), 2.0 * float((product**2).sum())
    )


def _gram(X: Floats) -> Floats:
    """Centred Gram matrix."""
    K = np.asarray(RBF(median_width(X))(X), dtype=np.float64)
    rows = K - K.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def _standardised(X: Floats) -> Floats:
    columns = np.ascontiguousarray(X.T)
    columns -= columns.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.square(columns).mean(axis=1, keepdims=True))
    return np.asarray((columns / np.where(spread > 0, spread, 1.0)).T)
