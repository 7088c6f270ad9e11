"""Mean functions: known, or a basis whose coefficients are integrated out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.linalg import svd

NAMES = ("zero", "constant", "linear")
_RANK = 1e-12


@dataclass(frozen=True, eq=False)
class Mean:
    r"""The mean function :math:`m(x) = m_0(x) + h(x)^\top \beta` of a process (gp.01).

    :math:`m_0` is known; :math:`\beta` is unknown, with a flat prior, and integrated out. The basis
    is kept in coordinates in which its columns on the training points are orthonormal, so that
    neither units nor columns that depend on each other matter.

    Parameters
    ----------
    kind : {"zero", "constant", "linear"} or callable
        A callable gives :math:`m_0`, one number per row, or :math:`h`, one row of numbers per row.
    transform : ndarray of shape (n_functions, rank)
        From the functions to the orthonormal coordinates.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> mean, rows, offset = fit_mean("GP", "linear", X)
    >>> np.allclose(rows.T @ rows, np.eye(2))
    True
    >>> np.allclose(mean.rows(X), rows)
    True
    """

    kind: Any
    transform: Floats

    @property
    def rank(self) -> int:
        """Number of coefficients that are integrated out."""
        return int(self.transform.shape[1])

    def rows(self, X: Any) -> Floats:
        """Basis at the rows of ``X`` in orthonormal coordinates, of shape (n, rank)."""
        values = functions(self.kind, X)
        return values @ self.transform if values.ndim == 2 else np.empty((len(X), 0))

    def offset(self, X: Any) -> Floats:
        """Known part :math:`m_0` at the rows of ``X``."""
        values = functions(self.kind, X)
        return values if values.ndim == 1 else np.zeros(len(X))

    def coefficients(self, inner: Floats) -> Floats:
        r""":math:`\beta` of the functions themselves from orthonormal coordinates."""
        return self.transform @ inner


def functions(kind: Any, X: Any) -> Floats:
    """Values of the known mean (one axis) or of the basis (two axes) at the rows of ``X``."""
    n = len(X)
    if kind == "zero":
        return np.zeros(n)
    if kind == "constant":
        return np.ones((n, 1))
    if kind == "linear":
        return np.column_stack([np.ones(n), np.asarray(X, dtype=np.float64)])
    return np.asarray(kind(X), dtype=np.float64)


def fit_mean(owner: object, mean: Any, X: Any) -> tuple[Mean, Floats, Floats]:
    """The mean function on training points: itself, its orthonormal rows, its known part.

    Parameters
    ----------
    owner : object
        Whose parameter ``mean`` is, for messages.
    mean : None, str or callable
        ``None`` is ``"zero"``.
    X : array of shape (n, d), or a list of objects for a callable
    """
    kind = "zero" if mean is None else mean
    if not (callable(kind) or (isinstance(kind, str) and kind in NAMES)):
        raise check.fail(owner, "mean", f"None, one of {', '.join(NAMES)}, or a callable", mean)
    if kind == "linear" and not isinstance(X, np.ndarray):
        raise check.fail(owner, "mean", "a callable, 'zero' or 'constant' for objects", mean)
    values = functions(kind, X)
    if values.ndim not in (1, 2) or len(values) != len(X) or not np.isfinite(values).all():
        need = f"a function of finite values, one row for each of {len(X)} rows"
        raise check.fail(owner, "mean", need, f"values of shape {values.shape}")
    if values.ndim == 1:
        return Mean(kind, np.empty((0, 0))), np.empty((len(X), 0)), values
    scale = np.linalg.norm(values, axis=0)
    scale[scale == 0] = 1.0
    left, sizes, right = svd(values / scale)
    kept = sizes > _RANK * max(values.shape) * sizes.max(initial=0.0)
    transform = (right[kept].T / sizes[kept]) / scale[:, None]
    return Mean(kind, transform), np.ascontiguousarray(left[:, kept]), np.zeros(len(X))
