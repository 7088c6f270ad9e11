"""The exact path of the lasso, from breakpoint to breakpoint."""

from dataclasses import dataclass

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.native.columns.lars import Breakpoints, gram_lars, table_lars


@dataclass(frozen=True)
class LarsPath:
    """Breakpoints of a piecewise linear path.

    Parameters
    ----------
    alphas : ndarray of shape (k,)
        Penalty strengths at the breakpoints, decreasing from the one that first lets a column in.
    coefs : ndarray of shape (p, k)
        Coefficients there; in between they are interpolated linearly.
    active : tuple of int
        Columns with a free coefficient at the end, in order of entry.
    events : tuple of (str, int)
        What happened after each breakpoint: ``("enter", j)``, ``("leave", j)``, or
        ``("dependent", j)`` for a column left aside because it lies in the span of the active ones.
    """

    alphas: Floats
    coefs: Floats
    active: tuple[int, ...]
    events: tuple[tuple[str, int], ...]

    def at(self, alpha: float) -> Floats:
        """Coefficients at any strength, zero above the path and its end below it."""
        rising = self.alphas[::-1]
        k = int(np.searchsorted(rising, alpha))
        if k == 0:
            return self.coefs[:, -1].copy()
        if k == len(rising):
            return self.coefs[:, 0].copy()
        low, high = len(rising) - k, len(rising) - k - 1
        share = (alpha - self.alphas[low]) / (self.alphas[high] - self.alphas[low])
        mixed = (1.0 - share) * self.coefs[:, low] + share * self.coefs[:, high]
        return np.asarray(mixed)


def lars_path(
    X: Floats,
    y: Floats,
    *,
    alpha_min: float = 0.0,
    method: str = "lasso",
    max_iter: int | None = None,
    positive: bool = False,
) -> LarsPath:
    r"""Follow the minimiser of :math:`\tfrac1{2n}\|y - Xw\|^2 + \alpha\|w\|_1` (linear.14).

    It is piecewise linear in :math:`\alpha`. Along a segment the active columns keep one and the
    same absolute product :math:`n\alpha` with the residual; a segment ends when another column
    catches up (it enters) or a coefficient reaches zero (it leaves).

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Columns, centred beforehand if there is to be an intercept.
    y : ndarray of shape (n,)
    alpha_min : float
        Where to stop, at least 0.
    method : {"lasso", "lar"}
        Least angle regression proper lets no column leave.
    max_iter : int, optional
        Most segments; eight times the smaller side of ``X`` by default.
    positive : bool
        Whether the coefficients must be at least 0.

    Returns
    -------
    LarsPath

    Notes
    -----
    :math:`O(np)` per segment for the products with all columns, :math:`O(na + a^2)` to update the
    Cholesky factor of the Gram matrix of :math:`a` active columns.

    References
    ----------
    Efron, Hastie, Johnstone, Tibshirani, "Least angle regression", Annals of Statistics 2004.

    Examples
    --------
    >>> import numpy as np
    >>> path = lars_path(np.eye(2) * np.sqrt(2.0), np.array([3.0, 1.0]) * np.sqrt(2.0))
    >>> path.alphas, path.at(2.0)
    (array([3., 1., 0.]), array([1., 0.]))
    """
    settings = _Settings(alpha_min, method, max_iter or 8 * max(1, min(X.shape)), positive)
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    target = np.ascontiguousarray(y, dtype=np.float64)
    return _path(table_lars(columns, target, *settings.numbers, **settings.flags))


def gram_lars_path(
    gram: Floats,
    moments: Floats,
    *,
    alpha_min: float = 0.0,
    max_iter: int,
    positive: bool = False,
) -> LarsPath:
    r"""Follow the path of the lasso from :math:`X^\top X / n` and :math:`X^\top y / n` alone.

    A segment costs :math:`O(pa)`, whatever the number of rows. Products of long columns are
    rounded before they are compared: check the answer, and follow the table where it fails.

    Parameters
    ----------
    gram : ndarray of shape (p, p)
    moments : ndarray of shape (p,)
    alpha_min, max_iter, positive
        As for :func:`lars_path`.

    Examples
    --------
    >>> import numpy as np
    >>> gram_lars_path(np.eye(2), np.array([3.0, 1.0]), max_iter=10).alphas
    array([3., 1., 0.])
    """
    settings = _Settings(alpha_min, "lasso", max_iter, positive)
    walk = gram_lars(
        np.ascontiguousarray(gram),
        np.ascontiguousarray(moments),
        *settings.numbers,
        **settings.flags,
    )
    return _path(walk)


@dataclass(frozen=True)
class _Settings:
    alpha_min: float
    method: str
    max_iter: int
    positive: bool

    def __post_init__(self) -> None:
        check.params(
            self,
            nonnegative="alpha_min",
            count="max_iter",
            flag="positive",
            one_of={"method": ("lasso", "lar")},
        )

    @property
    def numbers(self) -> tuple[float, int]:
        return float(self.alpha_min), int(self.max_iter)

    @property
    def flags(self) -> dict[str, bool]:
        return {"leaves": self.method == "lasso", "positive": bool(self.positive)}


def _path(walk: Breakpoints) -> LarsPath:
    return LarsPath(walk.alphas, walk.coefs, walk.active, walk.events)
