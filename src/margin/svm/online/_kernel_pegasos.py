"""Pegasos with kernels."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from margin.core import Card, Iterate, Solution, Stop, atomic, check, iterate, progress
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.svm.online._counting_machine import CountingMachine
from margin.svm.online._kernel_counts import Corrections, CountingProblem
from margin.svm.online._pegasos_fit import POWER


class KernelPegasos(CountingMachine):
    r"""Pegasos with kernels: the same steps in terms of counts (svm.06, svm.11).

    Step :math:`t` draws a row and, where :math:`y_i f_{t-1}(x_i) < 1`, raises its count:

    .. math:: f_t(x) = \frac1{\lambda t} \sum_j c_j y_j k(x_j, x), \qquad
        c_j = \bigl| \{ t' \le t : i_{t'} = j,\; y_j f_{t'-1}(x_j) < 1 \} \bigr| .

    For the linear kernel these are the iterates of :class:`Pegasos` without intercept and with
    ``offset=0``. The objective is
    :math:`\tfrac\lambda2 \|f\|^2 + \sum_i \tfrac{s_i}S \max(0, 1 - y_i f(x_i))` for weights
    :math:`s_i` of sum :math:`S`, that of :class:`SVC` without bias for :math:`\lambda = 1 / (C S)`.

    Parameters
    ----------
    alpha : float, default=1e-2
        Strength :math:`\lambda` of the penalty, above 0.
    tol : float, default=0.1
        Duality gap, divided by the objective, above which a warning is given; it falls like the
        inverse of the number of steps.
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    cache_size : float, default=200
        Megabytes up to which the kernel matrix is kept; beyond, its blocks are computed when they
        are needed, in every epoch.
    max_iter : int, default=100
        Epochs; every one makes as many visits as there are different rows, in random order and
        in proportion to their weights.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    counts_ : ndarray of shape (1, n_samples) or (n_classes, n_samples)
        Corrections made at every row.
    support_ : ndarray of int
        Rows that were corrected at least once.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Signed coefficients.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Zeros: there is no bias.
    fit_report_ : FitReport
        Objective after every epoch, and the relative duality gap at the end.
    n_iter_ : int
        Epochs made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A visit costs nothing but a comparison, a correction :math:`O(n)`. Equal rows are visited as one
    with the sum of their weights, so that neither their order nor their copies matter. More than
    two classes: one machine per class against all others.

    Examples
    --------
    Exclusive or, which no line separates:

    >>> from margin.svm import KernelPegasos
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPegasos(alpha=0.1, gamma=2.0).fit(X, y).predict(X)
    array([0, 1, 1, 0])
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"gamma": (1e-3, 1e1, "log")},
        max_rows=10_000,
    )

    def __init__(
        self,
        *,
        alpha: float = 1e-2,
        tol: float = 0.1,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        cache_size: float = 200,
        max_iter: int = 100,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.tol = tol
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make ``max_iter`` epochs of steps.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`; the weights are those of the losses.

        Returns
        -------
        self
        """
        check.params(self, positive="alpha tol", count="max_iter")
        classes, problem = self._problem(X, y, sample_weight)
        search = _Search(problem, float(self.alpha))

        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = search.run(float(self.tol), int(self.max_iter), tick)

        return self._keep(classes, problem, search.state.counts, solution.x, solution)


class _Search:
    """Epochs of steps, and shares of the rows by which they prove how good they are."""

    def __init__(self, problem: CountingProblem, lam: float) -> None:
        self.problem, self.lam, self.state = problem, lam, Corrections(problem)
        self.recent = np.zeros((2, *problem.signs.shape))

    def run(self, tol: float, max_iter: int, tick: Callback | None = None) -> Solution:
        """All epochs; the gap is measured at the end only."""
        stop = Stop(
            "relative duality gap",
            tol,
            max_iter,
            unit="epoch",
            keep="last",
            advice=("raise alpha", "raise tol", "use SVC"),
        )

        def finish(answer: Iterate) -> Iterate:
            bound = _bound(self.problem, self.state, self.recent, self.lam)
            relative = float((answer.objective - bound) / max(answer.objective, 1e-300))
            coef = self.state.counts * self.problem.signs / (self.lam * self.state.t)
            return answer._replace(x=coef, certificate=relative)

        return iterate(self._states(), stop, solver="kernel Pegasos", callback=tick, finish=finish)

    def _states(self) -> Iterator[Iterate]:
        state, epoch = self.state, 0
        machines = np.arange(len(self.problem.signs))
        while True:
            before, t = np.array([state.counts, state.values]), state.t
            state.visit(next(self.problem.orders), machines, slope=self.lam)
            added = (np.array([state.counts, state.values]) - before) / (state.t - t)
            self.recent += POWER / (epoch + POWER) * (added - self.recent)
            epoch += 1
            yield Iterate(None, _objective(self.problem, state, self.lam), None, epoch)


def _objective(problem: CountingProblem, state: Corrections, lam: float) -> float:
    """Sum of the objectives of all machines."""
    scale, signed = lam * state.t, problem.signs * state.values
    square = float((state.counts * signed).sum()) / scale**2
    losses = np.maximum(0.0, 1.0 - signed / scale) @ problem.shares
    return 0.5 * lam * square + float(losses.sum())


def _bound(problem: CountingProblem, state: Corrections, recent: Floats, lam: float) -> float:
    """Lower bound of the objectives from the counts of all epochs, or rather of the recent ones."""
    b, f = _allowed(problem, state, state.counts / state.t, state.values / state.t)
    new, values = _allowed(problem, state, *recent)
    change, turn = new - b, problem.signs * (values - f)
    slope = (change * (1.0 - problem.signs * f / lam)).sum(axis=1)
    curve = (change * turn).sum(axis=1) / lam
    way = np.divide(slope, curve, out=np.ones_like(slope), where=curve > 0).clip(0.0, 1.0)
    b, f = b + way[:, None] * change, problem.signs * f + way[:, None] * turn
    return float(b.sum() - 0.5 / lam * (b * f).sum())


def _allowed(
    problem: CountingProblem, state: Corrections, b: Floats, values: Floats
) -> tuple[Floats, Floats]:
    """Shares of the rows, cut to what the dual allows, and the kernel matrix times them."""
    cut = np.minimum(b, problem.shares)
    return cut, values - state.products((b - cut) * problem.signs)
