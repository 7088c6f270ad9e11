"""The perceptron with kernels."""

import numpy as np

from margin.core import Card, Certificate, Solution, Status, atomic, check, progress
from margin.svm.online._kernel_counts import Corrections, CountingMachine


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
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        cache_size=200,
        max_iter=1000,
        n_iter_no_change=100,
        average=True,
        random_state=0,
        n_jobs=None,
    ):
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
    def fit(self, X, y, sample_weight=None):
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
        problem = self._problem(X, y, sample_weight)
        search = _Search(problem)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            for epoch in range(self.max_iter):
                search.epoch(self.n_iter_no_change)
                tick(epoch + 1, search.trace[-1])
                if not len(search.going):
                    break
        overlap = (search.least > 0)[:, None] & bool(self.average)
        coef = np.where(overlap, search.means, search.counts) * problem.signs
        return self._store(problem, search.counts, coef, self._solution(search))

    def _solution(self, search):
        settled, best = not len(search.going), float(search.least.mean())
        message = (
            f"stopped after max_iter={self.max_iter} epochs with a share of {best:.3g} of the rows "
            "wrong; the classes may overlap: use SVC, another kernel or a larger max_iter"
        )
        return Solution(
            x=search.counts.ravel(),
            status=Status.CONVERGED if settled else Status.MAX_ITER,
            n_iter=len(search.trace),
            objective=best,
            trace={"objective": np.array(search.trace)},
            certificate=(
                None if settled and best > 0 else Certificate("share of errors", best, 0.0)
            ),
            solver="kernel perceptron",
            message="" if settled else message,
        )


class _Search:
    """All machines side by side: the counts with the fewest errors, and means over time."""

    def __init__(self, problem):
        self.problem, self.state = problem, Corrections(problem, average=True)
        machines = len(problem.signs)
        self.going, self.since = np.arange(machines), np.zeros(machines, dtype=int)
        self.least, self.trace = np.full(machines, np.inf), []
        self.counts, self.means = np.zeros(problem.signs.shape), np.zeros(problem.signs.shape)

    def epoch(self, patience):
        """Visit the rows; machines without errors or progress leave."""
        state, going = self.state, self.going
        state.visit(next(self.problem.orders), going)
        signed = self.problem.signs[going] * state.values[going]
        wrong = (signed <= 0).astype(np.float64) @ self.problem.shares
        self.means[going] = state.counts[going] - state.late[going] / state.t
        better = wrong < self.least[going]
        self.since[going] = np.where(better, 0, self.since[going] + 1)
        self.least[going[better]] = wrong[better]
        self.counts[going[better]] = state.counts[going[better]]
        self.trace.append(float(self.least.mean()))
        self.going = going[(self.least[going] > 0) & (self.since[going] < patience)]
