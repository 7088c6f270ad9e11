"""The least-mean-squares rule."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import losses, optim, penalties
from margin.core import Card, atomic, check, progress, threads
from margin.core.random import generator

_POWER_STEPS = 40


class LMS(RegressorMixin, BaseEstimator):
    r"""Linear regression by the rule of Widrow and Hoff (linear.04).

    The error of a prediction, times the features, is added to the coefficients:

    - ``"batch"``: :math:`w \leftarrow w + \frac\eta S \sum_i s_i (y_i - w^\top x_i - b)\, x_i`,
      with :math:`S = \sum_i s_i`;
    - ``"stochastic"``: :math:`w \leftarrow w + \eta_t (y_i - w^\top x_i - b)\, x_i`, one row after
      the other, with a decaying :math:`\eta_t`.

    Both go to the least-squares solution. The batch rule does so for every
    :math:`\eta < 2 / \lambda_{\max}`, the largest eigenvalue of :math:`X^\top S X / S`, and
    diverges above. For penalties and other losses use :class:`SGDRegressor`, for the solution
    itself :class:`LinearRegression`.

    Parameters
    ----------
    rule : {"batch", "stochastic"}, default="batch"
        The rule above.
    learning_rate : float, optional
        :math:`\eta`; by default :math:`1/\lambda_{\max}` for the batch rule, and for the
        stochastic rule the inverse of the largest squared norm of a row, which decays as
        :math:`1/t` after ten epochs.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`; it starts at the mean of the targets.
    tol : float, default=1e-6
        Largest entry of the gradient that counts as zero, in units of the standard deviation of
        the targets.
    max_iter : int, default=10000
        Most passes over the rows.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders of the stochastic rule.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`.
    intercept_ : float
        Intercept :math:`b`.
    learning_rate_ : float
        First step length used.
    fit_report_ : FitReport
        Objective after every pass, in units of the variance of the targets, and the gradient norm.
    n_iter_ : int
        Passes made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.linear import LMS
    >>> model = LMS().fit([[0], [1], [2]], [1, 2, 4])
    >>> model.coef_.round(4), round(float(model.intercept_), 4)
    (array([1.5]), 0.8333)
    """

    card = Card(tasks=("regression",), cost="linear")

    def __init__(
        self,
        *,
        rule="batch",
        learning_rate=None,
        fit_intercept=True,
        tol=1e-6,
        max_iter=10_000,
        random_state=0,
        n_jobs=None,
    ):
        self.rule = rule
        self.learning_rate = learning_rate
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Apply the rule until the gradient vanishes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(
            self,
            positive="tol",
            count="max_iter",
            flag="fit_intercept",
            one_of={"rule": ("batch", "stochastic")},
        )
        if self.learning_rate is not None:
            check.params(self, positive="learning_rate")
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, order="C")
        share = np.full(len(y), 1.0) if weight is None else weight
        share = share / share.sum()
        mean = float(share @ y) if self.fit_intercept else 0.0
        spread = float(np.sqrt(share @ (y - mean) ** 2)) or 1.0
        problem = optim.LinearProblem(
            X,
            (y - mean) / spread,
            share,
            losses.Squared(),
            penalties.Zero(),
            intercept=bool(self.fit_intercept),
            n_threads=threads.count(self.n_jobs),
        )
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = optim.minimise(problem, self._solver(problem), callback=tick)
        coef, intercept = problem.unpack(solution.x)
        self.coef_ = (spread * coef[:, 0]).astype(X.dtype)
        self.intercept_ = X.dtype.type(mean + spread * intercept[0])
        self.fit_report_ = check.report(self, solution)
        self.n_iter_ = solution.n_iter
        return self

    def _solver(self, problem):
        if self.rule == "batch":
            self.learning_rate_ = self.learning_rate or 1.0 / _largest_curvature(problem)
            return optim.GradientDescent(self.tol, self.max_iter, step_length=self.learning_rate_)
        rows = optim.RowSum.of(problem, type(self).__name__)
        self.learning_rate_ = self.learning_rate or 1.0 / max(rows.smoothness, 1e-300)
        schedule = optim.InverseTime(self.learning_rate_, 10.0 * len(rows.visits))
        seed = int(generator(self.random_state).integers(2**31))
        return optim.SGD(self.tol, self.max_iter, schedule=schedule, seed=seed)

    def predict(self, X):
        """Predicted targets."""
        X = check.table(self, X, sparse=True)
        return np.asarray(X @ self.coef_ + self.intercept_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _largest_curvature(problem):
    """Largest eigenvalue of the Hessian, from below, by power iteration."""
    product = problem.expand(np.zeros(problem.dimension), second_order=True).hessian_product
    v = np.random.default_rng(0).normal(size=problem.dimension)
    size = 0.0
    for _ in range(_POWER_STEPS):
        norm = float(np.linalg.norm(v))
        if norm == 0:
            return 1.0
        v = product(v / norm)
        size = float(np.linalg.norm(v))
    return size or 1.0
