"""Kernel tests of independence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform

from margin.core.types import Floats, Places
from margin.kernels import RBF
from margin.search.structure._independence import IndependenceTest, TestResult

STATISTICS = ("hsic", "coco")


@dataclass(frozen=True, eq=False)
class KernelTest(IndependenceTest):
    r"""Test of any dependence through the cross-covariance of feature maps (graphical.32).

    With centred Gram matrices :math:`\tilde K, \tilde L` of Gaussian kernels, the Hilbert–Schmidt
    norm :math:`\mathrm{HSIC} = n^{-2} \operatorname{tr} \tilde K \tilde L` or the largest singular
    value :math:`\mathrm{COCO} = n^{-1} \sqrt{\lambda_{\max}(\tilde K \tilde L)}` of the
    cross-covariance operator; both vanish only under independence. Given other columns, both Gram
    matrices are first cleared of what a kernel ridge regression on them explains. The null law is
    that of permuted rows; given other columns, of rows exchanged with near neighbours.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        Columns of numbers; a test uses the rows that know all of its columns.
    names : tuple
        Names of the columns; their numbers by default.
    statistic : {"hsic", "coco"}
        Which norm of the cross-covariance.
    n_permutations : int
        Permutations; the smallest p-value is one over this number plus one.
    ridge : float
        Regularisation of the regression on the conditioning set.
    seed : int
        Seed of the permutations: the same for every pair, whatever the order of the tests.

    Notes
    -----
    Widths are median distances. Time and memory grow with the square of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 60)
    >>> test = KernelTest(np.column_stack([x, x**2]))
    >>> bool(abs(np.corrcoef(x, x**2)[0, 1]) < 1e-12), test(0, 1).p_value < 0.01
    (True, True)
    """

    values: Floats
    names: tuple[Any, ...] = field(default=())
    statistic: str = "hsic"
    n_permutations: int = 200
    ridge: float = 1e-2
    seed: int = 0

    def __post_init__(self) -> None:
        if self.statistic not in STATISTICS:
            raise ValueError(
                f"KernelTest: statistic must be one of {STATISTICS}, got {self.statistic!r}"
            )
        if not self.names:
            object.__setattr__(self, "names", tuple(range(self.values.shape[1])))

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        used = [i, j, *given]
        X = self.values[~np.isnan(self.values[:, used]).any(axis=1)]
        if len(X) < 8:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        rng = np.random.default_rng(self.seed)
        K, L = (_centred(gram(X[:, [c]])) for c in (i, j))
        if given:
            # Kernel ridge residuals, as in the kernel conditional independence test.
            Z = X[:, list(given)]
            clear = _clearing(_centred(gram(Z)), self.ridge * len(X))
            K = clear @ _centred(gram(X[:, [i, *given]])) @ clear
            L = clear @ L @ clear
            near = squareform(pdist((Z - Z.mean(0)) / np.maximum(Z.std(0), 1e-300)))
            shuffle: Callable[[], Places] = lambda: local_permutation(near, rng)  # noqa: E731
        else:
            shuffle = lambda: rng.permutation(len(X))  # noqa: E731
        F, G = features(K), features(L)
        measure = hsic if self.statistic == "hsic" else coco
        value = measure(F, G)
        # Rounding must not make a permutation that changes nothing look smaller.
        bar = value * (1 - 1e-10)
        above = sum(measure(F, G[shuffle()]) >= bar for _ in range(self.n_permutations))
        return TestResult(value, 0.0, (above + 1) / (self.n_permutations + 1))


def gram(X: Floats) -> Floats:
    """Gram matrix of the Gaussian kernel whose width is the median distance of different rows."""
    distance = pdist(X)
    distance = distance[distance > 0]
    width = float(np.median(distance)) if len(distance) else 1.0
    return np.asarray(RBF(width)(X), dtype=np.float64)


def features(K: Floats) -> Floats:
    """Rows whose inner products are the Gram matrix, less directions at the size of rounding."""
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-12 * max(float(values[-1]), 1e-300)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))


def hsic(F: Floats, G: Floats) -> float:
    """Hilbert–Schmidt norm, squared, of the cross-covariance of centred features."""
    return float(((F.T @ G) ** 2).sum()) / len(F) ** 2


def coco(F: Floats, G: Floats) -> float:
    """Largest singular value of the cross-covariance of centred features."""
    cross = F.T @ G
    return float(np.linalg.norm(cross, 2)) / len(F) if cross.size else 0.0


def local_permutation(distance: Floats, rng: np.random.Generator, n_near: int = 7) -> Places:
    """Permutation that moves each row to a place near in ``distance``."""
    nearest = np.argsort(distance, axis=1)
    free = np.ones(len(distance), dtype=bool)
    order = np.empty(len(distance), dtype=np.intp)
    for row in rng.permutation(len(distance)):
        open_places = nearest[row][free[nearest[row]]]
        order[row] = rng.choice(open_places[:n_near])
        free[order[row]] = False
    return order


def _centred(K: Floats) -> Floats:
    rows = K - K.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def _clearing(K: Floats, ridge: float) -> Floats:
    return np.asarray(ridge * np.linalg.inv(K + ridge * np.eye(len(K))))
