"""Checkers of the axioms of metrics and scalar products."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.linalg._matrix import asymmetry, matrix, square
from margin.linalg.factors._cholesky import cholesky


@dataclass(frozen=True)
class MetricCheck:
    """Which axioms a distance matrix satisfies; true when all of them hold (linalg.18).

    Parameters
    ----------
    nonnegative, zero_diagonal, separates, symmetric, triangle : bool
        No negative entry; nothing is away from itself; different points are apart; both
        directions agree; no detour is shorter.
    detour : tuple of int or None
        The triple ``(i, j, k)`` whose detour from ``i`` through ``j`` to ``k`` is shortest against
        the direct way, where the triangle inequality fails.
    """

    nonnegative: bool
    zero_diagonal: bool
    separates: bool
    symmetric: bool
    triangle: bool
    detour: tuple[int, int, int] | None = None

    def __bool__(self) -> bool:
        return not self.violations

    @property
    def violations(self) -> tuple[str, ...]:
        """Names of the axioms that fail."""
        names = ("nonnegative", "zero_diagonal", "separates", "symmetric", "triangle")
        return tuple(name for name in names if not getattr(self, name))


def check_metric(D: ArrayLike, rtol: float = 1e-10) -> MetricCheck:
    r"""Hold a distance matrix against the axioms of a metric (linalg.18).

    .. math:: d_{ij} \ge 0, \quad d_{ij} = 0 \Leftrightarrow i = j, \quad d_{ij} = d_{ji}, \quad
              d_{ik} \le d_{ij} + d_{jk}.

    Parameters
    ----------
    D : array-like of shape (n, n)
        Distances between ``n`` different points.
    rtol : float
        Forgiven rounding, relative to the largest entry.

    Notes
    -----
    :math:`O(n^3)` time and :math:`O(n^2)` memory.

    Examples
    --------
    >>> bool(check_metric([[0, 1, 2], [1, 0, 1], [2, 1, 0]]))
    True
    >>> squared = check_metric([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    >>> squared.violations, squared.detour
    (('triangle',), (0, 1, 2))
    """
    D = square(D, "distance matrix")
    slack = rtol * float(np.max(np.abs(D), initial=0.0))
    apart = D[~np.eye(len(D), dtype=bool)]
    worst, detour = 0.0, None
    for j in range(len(D)):
        gain = D - (D[:, j, None] + D[None, j, :])
        i, k = np.unravel_index(int(np.argmax(gain)), gain.shape)
        if gain[i, k] > worst:
            worst, detour = float(gain[i, k]), (int(i), j, int(k))
    return MetricCheck(
        nonnegative=bool(np.min(D, initial=0.0) >= -slack),
        zero_diagonal=bool(np.all(np.abs(np.diagonal(D)) <= slack)),
        separates=bool(np.all(np.abs(apart) > slack)),
        symmetric=asymmetry(D) <= slack,
        triangle=worst <= slack,
        detour=detour if worst > slack else None,
    )


@dataclass(frozen=True)
class ScalarProductCheck:
    """Which axioms a product of vectors satisfies; true when all of them hold (linalg.19)."""

    additive: bool
    homogeneous: bool
    symmetric: bool
    positive: bool

    def __bool__(self) -> bool:
        return not self.violations

    @property
    def violations(self) -> tuple[str, ...]:
        """Names of the axioms that fail."""
        names = ("additive", "homogeneous", "symmetric", "positive")
        return tuple(name for name in names if not getattr(self, name))


def check_scalar_product(
    product: Callable[[Floats, Floats], float], vectors: ArrayLike, rtol: float = 1e-9
) -> ScalarProductCheck:
    r"""Try the axioms of a scalar product on all triples of the given vectors (linalg.19).

    .. math:: \langle x + y, z\rangle = \langle x, z\rangle + \langle y, z\rangle, \quad
              \langle a x, z\rangle = a \langle x, z\rangle, \quad
              \langle x, y\rangle = \langle y, x\rangle, \quad
              \langle x, x\rangle > 0 \text{ for } x \ne 0.

    A failure is a proof; success is evidence, the stronger the more vectors.

    Parameters
    ----------
    product : callable
        ``(x, y) -> float``.
    vectors : array-like of shape (m, d)
        Vectors other than zero to try.
    rtol : float
        Forgiven rounding, relative to the largest product.

    Examples
    --------
    >>> trial = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]
    >>> bool(check_scalar_product(lambda x, y: x @ y, trial))
    True
    >>> check_scalar_product(lambda x, y: x[0] * y[0] - x[1] * y[1], trial).violations
    ('positive',)
    """
    V = matrix(vectors, "vectors")
    gram = np.array([[float(product(x, y)) for y in V] for x in V])
    scale = float(np.max(np.abs(gram), initial=0.0))
    additive = homogeneous = True
    for i, x in enumerate(V):
        for j, y in enumerate(V):
            sums = np.array([float(product(x + y, z)) for z in V])
            additive &= bool(np.all(np.abs(sums - gram[i] - gram[j]) <= 4 * rtol * scale))
        for factor in (-2.0, 0.5, 3.0):
            scaled = np.array([float(product(factor * x, z)) for z in V])
            homogeneous &= bool(np.all(np.abs(scaled - factor * gram[i]) <= 4 * rtol * scale))
    return ScalarProductCheck(
        additive=additive,
        homogeneous=homogeneous,
        symmetric=asymmetry(gram) <= rtol * scale,
        positive=bool(np.all(np.diagonal(gram) > 0)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class ScalarProduct:
    r"""Generalised scalar product :math:`\langle x, y\rangle = x^\top A y` (linalg.19).

    A scalar product iff ``A`` is symmetric positive definite; anything else is refused.

    Parameters
    ----------
    A : array-like of shape (d, d)
        Symmetric positive-definite matrix.

    Examples
    --------
    >>> product = ScalarProduct([[2.0, 0.0], [0.0, 1.0]])
    >>> float(product([1.0, 1.0], [1.0, 2.0]))
    4.0
    >>> round(float(product.norm([0.0, 3.0])), 12)
    3.0
    """

    A: Floats

    def __init__(self, A: ArrayLike) -> None:
        cholesky(A, name="matrix of the scalar product", max_jitter=0.0)
        object.__setattr__(self, "A", np.array(A, dtype=np.float64))

    def __call__(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """Products of the last axes of ``x`` and ``y``, the others broadcast."""
        x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        return np.asarray(np.sum((x @ self.A) * y, axis=-1))

    def gram(self, X: ArrayLike, Z: ArrayLike | None = None) -> Floats:
        r"""Matrix :math:`X A Z^\top` of products between rows; ``Z`` is ``X`` when absent."""
        X = matrix(X, "X")
        return X @ self.A @ (X if Z is None else matrix(Z, "Z")).T

    def norm(self, x: ArrayLike) -> Floats:
        r"""Length :math:`\sqrt{\langle x, x\rangle} \ge 0` of the vectors on the last axis."""
        return np.asarray(np.sqrt(np.maximum(self(x, x), 0.0)))

    def __repr__(self) -> str:
        return f"ScalarProduct(d={len(self.A)})"
