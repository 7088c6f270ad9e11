"""Dual coordinate descent for linear machines of several classes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Iterate, Solution, Stop, check, iterate, random
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.native.duals.linear_multiclass import linear_multiclass_passes, padded
from margin.optim.duals._dual_descent import KIND
from margin.optim.duals._linear_dual import best_multiple, row_squares

_SMALL, _SHARP, _EXTRA = 20_000, 1e-10, 3000  # stored numbers, gap, passes of a small problem
_FIRST, _MOST = 5, 40  # passes between two looks at the gap


@dataclass(frozen=True)
class MulticlassDescent:
    r"""All multipliers of a row at once, rows in random order (svm.18).

    Minimises, over one function per class, the machine of Crammer and Singer

    .. math:: \tfrac12 \sum_k \|w_k\|^2 + \sum_i c_i \max_k
        \bigl( w_k^\top x_i - w_{y_i}^\top x_i + [k \ne y_i] \bigr) .

    The dual is :math:`\max \sum_i \beta_{i y_i} - \tfrac12 \sum_k \|w_k\|^2` with
    :math:`w_k = \sum_i \beta_{ik} x_i`, :math:`\sum_k \beta_{ik} = 0` and
    :math:`\beta_{ik} \le c_i [k = y_i]`. A visit of a row sets its multipliers to their exact
    optimum, which costs the stored entries of the row times the number of classes; a row found at
    rest sits out some passes. The certificate is the gap between the dual and the best multiple of
    the functions, divided by the primal value.

    Parameters
    ----------
    tol : float
        Relative duality gap that counts as converged. Small problems are driven further.
    max_iter : int
        Most passes.
    random_state : int, Generator or RandomState
        Order of the rows.

    References
    ----------
    Keerthi, Sundararajan, Chang, Hsieh and Lin, A sequential dual method for large scale
    multi-class linear SVMs, KDD 2008.

    Examples
    --------
    >>> import numpy as np
    >>> X, codes = np.eye(3), np.arange(3)
    >>> solution = MulticlassDescent().run(X, codes, np.ones(3), 3)
    >>> solution.x[:3].round(6)
    array([[ 0.666667, -0.333333, -0.333333],
           [-0.333333,  0.666667, -0.333333],
           [-0.333333, -0.333333,  0.666667]])
    """

    tol: float = 1e-4
    max_iter: int = 1000
    random_state: object = 0

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def run(
        self,
        X: Any,
        codes: NDArray[np.integer[Any]],
        cap: Floats,
        n_classes: int,
        constant: float = 0.0,
        *,
        callback: Callback | None = None,
    ) -> Solution:
        """Solve the problem.

        Parameters
        ----------
        X : ndarray in C order or CSR matrix of shape (n, p)
        codes : int array of shape (n,)
            Class of every row.
        cap : array of shape (n,)
            Prices :math:`c`.
        n_classes : int
            Number of classes.
        constant : float
            Value of a feature behind the others.

        Returns
        -------
        Solution
            ``x`` of shape (p + 1, n_classes) are the functions, weights of the constant last;
            ``extras`` hold the multipliers ``beta`` and the ``dual`` value.
        """
        stop = Stop(
            KIND,
            self.tol,
            self.max_iter,
            unit="pass",
            keep="closest",
            columns=("gap",),
            advice=("raise tol", "scale the features", "lower C"),
        )
        states = _RowPasses(X, codes, cap, n_classes, constant).states(self)
        return iterate(states, stop, solver="MulticlassDescent", callback=callback)


class _RowPasses:
    """Passes over the rows, looks at the gap between them."""

    def __init__(self, X: Any, codes: Any, cap: Floats, n_classes: int, constant: float) -> None:
        self.X, self.cap, self.constant = X, cap, float(constant)
        self.codes = np.asarray(codes, dtype=np.int64)
        n, p = X.shape
        self.square = row_squares(X) + constant**2
        self.beta, self.W = np.zeros((n, n_classes)), np.zeros((p + 1, padded(n_classes)))
        self.passes = 0

    def states(self, solver: MulticlassDescent) -> Iterator[Iterate]:
        """The start, then the state after every few passes."""
        rng, rows = random.generator(solver.random_state), np.arange(len(self.codes))
        # A small problem is driven further: the answer then hardly depends on the order of rows.
        few = len(self.codes) * len(self.W) <= _SMALL
        chunk = _FIRST
        while True:
            goal = min(solver.tol, _SHARP) if few and self.passes < _EXTRA else solver.tol
            yield self._look(goal)
            self.passes += linear_multiclass_passes(
                self.X, self.constant, self.codes, self.cap, self.square, self.beta, self.W, rows,
                seed=int(rng.integers(2**62)), limit=min(chunk, solver.max_iter - self.passes),
                shrinks=True,
            )  # fmt: skip
            chunk = min(2 * chunk, _MOST)

    def _look(self, goal: float) -> Iterate:
        W = self.W[:, : self.beta.shape[1]]
        scores = np.asarray(self.X @ W[:-1] + self.constant * W[-1], dtype=np.float64)
        rows = np.arange(len(self.codes))
        own = scores[rows, self.codes]
        scores[rows, self.codes] = -np.inf
        ahead = scores.max(axis=1) - own  # of the strongest rival, the same one at any factor
        square = float(np.einsum("jk,jk->", W, W))

        def slope(factor: float) -> float:
            return factor * square + float(self.cap @ np.where(factor * ahead > -1.0, ahead, 0.0))

        factor = best_multiple(slope)
        losses = np.maximum(factor * ahead + 1.0, 0.0)
        primal = 0.5 * factor**2 * square + float(self.cap @ losses)
        gap = primal - (float(self.beta[rows, self.codes].sum()) - 0.5 * square)
        relative = max(gap, 0.0) / max(primal, 1e-300)
        return Iterate(
            factor * W,
            primal,
            relative,
            self.passes,
            (gap,),
            unfinished=relative > goal,
            extras={"beta": self.beta.copy(), "dual": primal * (1.0 - relative)},
        )
