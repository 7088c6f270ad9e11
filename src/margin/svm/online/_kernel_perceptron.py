"""The perceptron with kernels."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np

from margin.core import Card, Iterate, Solution, Status, Stop, atomic, check, iterate, progress
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.svm.online._counting_machine import CountingMachine
from margin.svm.online._kernel_counts import Corrections, CountingProblem


class KernelPerceptron(CountingMachine):
    r"""Perceptron with kernels: counts of mistakes as coefficients (svm.14).

    Rows are visited in random order. Where :math:`y_i f(x_i) \le 0` with
    :math:`f(x) = \sum_j c_j y_j k(x_j, x)`, the count :math:`c_i` grows by one. If some function of
    norm one separates the classes with a margin :math:`\gamma` and :math:`k(x, x) \le R^2`, at most
    :math:`(R / \gamma)^2` corrections are made; otherwise the search ends
    when the number of errors falls no more.

    Parameters
    ----------
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    cache_size : float, default=200
        Megabytes up to which the kernel matrix is kept; beyond, its blocks are computed when they
        are needed, in every epoch.
    max_iter : int, default=1000
        Most epochs; the search ends before when nothing is wrong. An epoch makes as many visits
        as there are different rows, in random order and in proportion to their weights.
    n_iter_no_change : int, default=100
        The search also ends when so many epochs in a row have not lowered the number of errors.
    average : bool, default=True
        Whether machines that could not separate their classes take the means of the counts over
        all visits, which are steadier, in place of the counts with the fewest errors.
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
        Least share of training errors so far, after every epoch.
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

    >>> from margin.svm import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> KernelPerceptron(gamma=2.0).fit(X, y).predict(X)
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
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        cache_size: float = 200,
        max_iter: int = 1000,
        n_iter_no_change: int = 100,
        average: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.average = average
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Correct until nothing is wrong, or no longer less.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`; rows are visited in proportion to their weights.

        Returns
        -------
        self
        """
        check.params(self, count="max_iter n_iter_no_change", flag="average")
        classes, problem = self._problem(X, y, sample_weight)
        search = _Search(problem, int(self.n_iter_no_change))

        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = search.run(int(self.max_iter), tick)

        coef = search.coef(average=bool(self.average))
        return self._keep(classes, problem, search.counts, coef, solution)


class _Search:
    """All machines side by side: the counts with the fewest errors, and means over time."""

    def __init__(self, problem: CountingProblem, patience: int) -> None:
        self.problem, self.state = problem, Corrections(problem, average=True)
        self.patience, machines = patience, len(problem.signs)
        self.going, self.since = np.arange(machines), np.zeros(machines, dtype=int)
        self.least = np.full(machines, np.inf)
        self.counts, self.means = np.zeros(problem.signs.shape), np.zeros(problem.signs.shape)

    def run(self, max_iter: int, tick: Callback | None = None) -> Solution:
        """Epochs until no machine has errors or makes progress: then it is done, errors or not."""
        stop = Stop("share of errors", 0.0, max_iter, unit="epoch", keep="last")
        solution = iterate(self._states(), stop, solver="kernel perceptron", callback=tick)
        if solution.status.ok or solution.interrupted:
            return solution
        if not len(self.going):
            return replace(solution, status=Status.CONVERGED, certificate=None, message="")
        message = (
            f"stopped after max_iter={max_iter} epochs with a share of {solution.objective:.3g} of "
            "the rows wrong; the classes may overlap: use SVC, another kernel or a larger max_iter"
        )
        return replace(solution, message=message)

    def _states(self) -> Iterator[Iterate]:
        epoch = 0
        while len(self.going):
            self.epoch()
            epoch += 1
            share = float(self.least.mean())
            yield Iterate(self.counts.flatten(), share, share, epoch)

    def epoch(self) -> None:
        """Visit the rows; machines without errors or progress leave."""
        state, going = self.state, self.going
        state.visit(next(self.problem.orders), going)
        signed = self.problem.signs[going] * state.values[going]
        wrong = (signed <= 0).astype(np.float64) @ self.problem.shares
        assert state.late is not None
        self.means[going] = state.counts[going] - state.late[going] / state.t
        better = wrong < self.least[going]
        self.since[going] = np.where(better, 0, self.since[going] + 1)
        self.least[going[better]] = wrong[better]
        self.counts[going[better]] = state.counts[going[better]]
        self.going = going[(self.least[going] > 0) & (self.since[going] < self.patience)]

    def coef(self, *, average: bool) -> Floats:
        """Signed counts; of machines with errors the means over time, where that is asked for."""
        overlap = (self.least > 0)[:, None] & average
        return np.where(overlap, self.means, self.counts) * self.problem.signs
