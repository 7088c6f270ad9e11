"""Whether classes can be told apart by hyperplanes, with the evidence either way."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog
from sklearn.utils import check_X_y

from margin.core import FitError, check
from margin.core.types import Floats

_POSITIVE = 1e-9  # a margin below this share of the box cannot be told from rounding


@dataclass(frozen=True)
class Separability:
    r"""Answer of :func:`separability`.

    Parameters
    ----------
    separable : bool
        Whether some weights give every row a score of its own class above all others.
    coef, intercept : ndarray
        Such weights, of shape (1, p) and (1,) for two classes, (K, p) and (K,) for more; those of
        the largest margin found in a box of weights.
    margin : float
        Smallest advantage of the own class over a rival with these weights; not above zero if the
        classes are not separable.
    multipliers : ndarray of shape (n,) or None
        For two classes that are not separable, weights :math:`\alpha \ge 0` of the rows, summing
        to one in each class, with :math:`\sum_i \alpha_i y_i (x_i, 1) = 0`: a point that lies in
        the convex hull of both classes.
    residual : float
        Largest entry of that sum, relative to the size of the columns: zero up to rounding.
    """

    separable: bool
    coef: Floats
    intercept: Floats
    margin: float
    multipliers: Floats | None = None
    residual: float = 0.0

    def __str__(self) -> str:
        if self.separable:
            return f"linearly separable with margin {self.margin:.3g}"
        if self.multipliers is None:
            return "not linearly separable"
        shared = int(np.count_nonzero(self.multipliers > 1e-12))
        return (
            f"not linearly separable: a mixture of {shared} rows lies in the convex hull of "
            "both classes"
        )


def separability(X: Any, y: Any) -> Separability:
    r"""Decide by linear programming whether classes are linearly separable (linear.30).

    Maximises :math:`t \le 1` such that :math:`(w_{y_i} - w_k)^\top x_i + b_{y_i} - b_k \ge t` for
    every row and every other class, with weights in a box in units of the centred columns. By
    Gordan's theorem either :math:`t > 0`, or the multipliers of the constraints are a combination
    of the rows that no hyperplane can be on the right side of. Both are checked by multiplication.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels of at least two classes.

    Returns
    -------
    Separability

    Notes
    -----
    One linear programme with :math:`(p + 1) K + 1` unknowns and :math:`n (K - 1)` constraints,
    by the solver HiGHS.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separability(X, [0, 0, 0, 1]).separable, separability(X, [0, 1, 1, 0]).separable
    (True, False)
    >>> separability(X, [0, 1, 1, 0]).multipliers
    array([0.5, 0.5, 0.5, 0.5])
    """
    X, y = check_X_y(check.structure("separability", X), y, accept_sparse="csr", dtype=np.float64)
    classes, codes = check.classes("separability", y)
    rows, centre = _centred(X)
    size = np.asarray(
        abs(rows).max(axis=0).toarray() if sparse.issparse(rows) else abs(rows).max(axis=0)
    )
    scale = np.where(size.ravel() > 0, size.ravel(), 1.0)
    # Divided, not multiplied: the reciprocal of a denormal number is infinite.
    table = sparse.csr_array(rows)
    table.data = table.data / scale[table.indices]
    design = sparse.hstack([table, np.ones((X.shape[0], 1))], format="csr")
    if len(classes) == 2:
        return _two_classes(design, np.where(codes == 1, 1.0, -1.0), centre, scale)
    return _many_classes(design, codes, len(classes), centre, scale)


def _centred(X: Any) -> tuple[Any, Floats]:
    """Rows around the middle of their columns, which a hyperplane does not mind.

    The spread of a column far from zero would be lost in its size. A sparse column that holds a
    zero is not far from it, measured by its spread: those stay sparse.
    """
    n, p = X.shape
    if not sparse.issparse(X):
        centre = X[0] + np.mean(X - X[0], axis=0)
        return X - centre, centre
    full = np.bincount(X.indices, minlength=p) == n
    centre = np.where(full, np.asarray(X.mean(axis=0)).ravel(), 0.0)
    rows = X.copy()
    rows.data -= centre[rows.indices]
    return rows, centre


def _widest(advantage: Any, n_weights: int) -> Any:
    """Solution of: maximise t with ``advantage @ w >= t``, ``|w| <= 1``, ``t <= 1``."""
    rows = advantage.shape[0]
    constraint = sparse.hstack([-advantage, np.ones((rows, 1))], format="csr")
    bounds = [(-1.0, 1.0)] * n_weights + [(None, 1.0)]
    aim = np.append(np.zeros(n_weights), -1.0)
    answer = linprog(aim, A_ub=constraint, b_ub=np.zeros(rows), bounds=bounds, method="highs")
    if not answer.success:
        raise FitError(f"separability: the linear programme failed ({answer.message})")
    return answer


def _two_classes(design: Any, sign: Floats, centre: Floats, scale: Floats) -> Separability:
    signed = sparse.diags_array(sign) @ design
    answer = _widest(signed, design.shape[1])
    coef = answer.x[:-2] / scale
    intercept = answer.x[-2] - centre @ coef
    margin = float(np.min(signed @ answer.x[:-1]))
    if margin > _POSITIVE:
        return Separability(True, coef[None, :], np.array([intercept]), margin)
    multipliers = np.maximum(-answer.ineqlin.marginals, 0.0)
    multipliers = 2.0 * multipliers / max(float(multipliers.sum()), 1e-300)
    residual = float(np.abs(signed.T @ multipliers).max())
    return Separability(False, coef[None, :], np.array([intercept]), margin, multipliers, residual)


def _many_classes(
    design: Any, codes: Any, n_classes: int, centre: Floats, scale: Floats
) -> Separability:
    d = design.shape[1]
    blocks = []
    for own in range(n_classes):
        rows = design[np.flatnonzero(codes == own)]
        for rival in range(n_classes):
            if rival != own:
                parts: list[Any] = [sparse.csr_array(rows.shape)] * n_classes
                parts[own], parts[rival] = rows, -rows
                blocks.append(sparse.hstack(parts, format="csr"))
    answer = _widest(sparse.vstack(blocks, format="csr"), n_classes * d)
    weights = answer.x[:-1].reshape(n_classes, d)
    coef = weights[:, :-1] / scale
    intercept = weights[:, -1] - coef @ centre
    scores = np.asarray(design @ weights.T)
    own_score = np.take_along_axis(scores, codes[:, None], axis=1)[:, 0]
    np.put_along_axis(scores, codes[:, None], -np.inf, axis=1)
    margin = float(np.min(own_score - scores.max(axis=1)))
    return Separability(margin > _POSITIVE, coef, intercept, margin)


def best_linear_accuracy(X: Any, y: Any, max_rows: int = 14) -> float:
    """Largest share of rows that one hyperplane can get right, by exhaustive search.

    Leaves out ever more rows until the others are separable; exponential in the number of rows,
    which is limited to ``max_rows``. For two classes of equal rows at a time.

    Examples
    --------
    >>> best_linear_accuracy([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    0.75
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    n = len(y)
    if n > max_rows:
        raise check.fail("best_linear_accuracy", "X", f"of at most {max_rows} rows", n)
    check.classes("best_linear_accuracy", y)
    for left_out in range(n):
        for rows in combinations(range(n), n - left_out):
            chosen = list(rows)
            if len(np.unique(y[chosen])) < 2 or separability(X[chosen], y[chosen]).separable:
                return (n - left_out) / n
    return 0.0
