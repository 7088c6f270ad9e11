"""The exact path of the lasso, from breakpoint to breakpoint."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from margin.core import check
from margin.core.types import Floats

_DEPENDENT = 1e-10
_SAME = 1e-12
_TIE = 1e-9


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
    settings = _Settings(alpha_min, method, max_iter or 8 * max(1, min(X.shape)))
    return _Walk(X, y, settings).run()


@dataclass(frozen=True)
class _Settings:
    alpha_min: float
    method: str
    max_iter: int

    def __post_init__(self) -> None:
        check.params(
            self, nonnegative="alpha_min", count="max_iter", one_of={"method": ("lasso", "lar")}
        )


class _Walk:
    """The state of a path: active columns, their Cholesky factor, products with the residual."""

    def __init__(self, X: Floats, y: Floats, settings: _Settings) -> None:
        self.X, self.y, self.settings = X, y, settings
        n, p = X.shape
        self.scale = 1.0 / max(n, 1)
        self.w = np.zeros(p)
        self.products = X.T @ y * self.scale
        self.norms = np.einsum("ij,ij->j", X, X) * self.scale
        self.usable = self.norms > _DEPENDENT**2 * self.norms.max(initial=0.0)
        self.active: list[int] = []
        self.factor = np.empty((0, 0))
        self.signs = np.zeros(p)
        self.alphas: list[float] = []
        self.coefs: list[Floats] = []
        self.events: list[tuple[str, int]] = []

    def run(self) -> LarsPath:
        alpha = float(np.abs(self.products[self.usable]).max(initial=0.0))
        self._record(alpha)
        first = alpha
        while len(self.alphas) <= self.settings.max_iter and alpha > self.settings.alpha_min:
            tied = self.usable & (np.abs(self.products) >= alpha - _SAME * first)
            direction, rates = self._choose(tied & (self.w == 0.0))
            if not self.active:
                break
            step, leaver = self._reach(alpha, tied, direction, rates)
            self._move(step, direction, leaver)
            end = step >= alpha - self.settings.alpha_min
            alpha = self.settings.alpha_min if end else alpha - step
            self._record(alpha)
        return LarsPath(
            np.array(self.alphas), np.array(self.coefs).T, tuple(self.active), tuple(self.events)
        )

    def _record(self, alpha: float) -> None:
        self.alphas.append(alpha)
        self.coefs.append(self.w.copy())

    def _choose(self, waiting: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Decide which of the columns that have caught up go along, and in which direction.

        A column at zero goes along if its coefficient then moves away from zero with the sign of
        its product; it stays behind if its product then falls at least as fast as ``alpha``. Of two
        equal columns one goes along and the other stays behind, exactly tied.
        """
        before = set(self.active)
        refused: set[int] = set()
        self.signs[waiting] = np.sign(self.products[waiting])
        for _ in range(10 + 4 * int(waiting.sum())):
            direction, rates = self._direction()
            away = direction * self.signs[self.active] if self.active else np.zeros(0)
            away[~waiting[self.active]] = 0.0
            if self.settings.method == "lasso" and away.min(initial=0.0) < -_TIE:
                self._drop(int(np.argmin(away)))
                continue
            lag = np.where(waiting, self.signs * rates, np.inf)
            lag[[*self.active, *refused]] = np.inf
            j = int(np.argmin(lag))
            if not lag[j] < 1.0 - _TIE:
                break
            if not self._append(j):
                refused.add(j)
                self.events.append(("dependent", j))
        self.events += [("enter", j) for j in self.active if j not in before]
        return direction, rates

    def _direction(self) -> tuple[Floats, Floats]:
        """Change of the active coefficients, and of all products, per unit of ``alpha``."""
        if not self.active:
            return np.zeros(0), np.zeros(len(self.w))
        half = solve_triangular(self.factor, self.signs[self.active], lower=True)
        direction = solve_triangular(self.factor.T, half)
        return direction, self.X.T @ (self.X[:, self.active] @ direction) * self.scale

    def _append(self, j: int) -> bool:
        """Add a row to the factor; not for a column in the span of the active ones."""
        cross = self.X[:, self.active].T @ self.X[:, j] * self.scale
        row = solve_triangular(self.factor, cross, lower=True) if self.active else cross
        rest = self.norms[j] - float(row @ row)
        if rest <= _DEPENDENT * self.norms[j]:
            return False
        k = len(self.active)
        grown = np.zeros((k + 1, k + 1))
        grown[:k, :k], grown[k, :k], grown[k, k] = self.factor, row, np.sqrt(rest)
        self.factor = grown
        self.active.append(j)
        return True

    def _drop(self, k: int) -> int:
        """Take out the k-th active column and restore the triangle by rotations."""
        lower = np.delete(self.factor, k, axis=0)
        for i in range(k, len(lower)):
            a, b = lower[i, i], lower[i, i + 1]
            c, s = a / np.hypot(a, b), b / np.hypot(a, b)
            left = c * lower[i:, i] + s * lower[i:, i + 1]
            lower[i:, i + 1] = c * lower[i:, i + 1] - s * lower[i:, i]
            lower[i:, i] = left
        self.factor = lower[:, :-1]
        return self.active.pop(k)

    def _reach(
        self, alpha: float, tied: NDArray[np.bool_], direction: Floats, rates: Floats
    ) -> tuple[float, int | None]:
        """Length of the segment, and which active coefficient reaches zero at its end, if any."""
        free = self.usable.copy()
        free[self.active] = False
        c, a, held = self.products[free], rates[free], tied[free]
        with np.errstate(divide="ignore", invalid="ignore"):
            up = np.where(held & (c > 0), np.inf, (alpha - c) / (1.0 - a))
            down = np.where(held & (c < 0), np.inf, (alpha + c) / (1.0 + a))
            zero = -self.w[self.active] / direction
        both = np.concatenate([up, down])
        step = float(np.min(both[both > 0], initial=alpha - self.settings.alpha_min))
        zero[~(zero > 0)] = np.inf
        if self.settings.method == "lasso" and zero.min(initial=np.inf) < step:
            return float(zero.min()), int(np.argmin(zero))
        return step, None

    def _move(self, step: float, direction: Floats, leaver: int | None) -> None:
        self.w[self.active] += step * direction
        if leaver is not None:
            self.w[self.active[leaver]] = 0.0
            self.events.append(("leave", self._drop(leaver)))
        # Products are recomputed, not updated: errors do not add up along the path.
        held = np.flatnonzero(self.w)
        self.products = self.X.T @ (self.y - self.X[:, held] @ self.w[held]) * self.scale
