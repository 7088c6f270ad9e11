"""Gaussian process regression of several targets that vary together."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, FitError, atomic, check
from margin.core import random as randomness
from margin.core.types import Floats
from margin.distributions import Normal
from margin.gp._border import given_kernel
from margin.gp._capacity import fits
from margin.gp._default_kernel import default_kernel
from margin.gp._inputs import Precomputed, new, training
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings
from margin.gp.regression._coregionalization import Coregionalized, Measurements
from margin.gp.regression._units import Units


class MultiOutputGP(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Gaussian process of several targets that vary together (intrinsic coregionalization).

    Target ``t`` is :math:`y_t(x) = \mu_t + f_t(x) + \epsilon_t` with an unknown level
    :math:`\mu_t`, integrated out, and

    .. math:: \operatorname{cov}(f_s(x), f_t(x')) = B_{st}\, k(x, x'), \qquad
              \epsilon_t \sim N(0, \sigma_t^2).

    The matrix :math:`B` between targets, the noise of each and the hyper-parameters of the kernel
    maximise the marginal likelihood. A target that was measured often helps one that was measured
    rarely: NaN in a table of targets means not measured.

    Parameters
    ----------
    kernel : Kernel, str, callable or None, default=None
        Kernel :math:`k` of unit variance, shared by all targets; scikit-learn's, too. None: a
        Gaussian with one length scale per column.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        Search for the unknowns. None keeps kernel, independent targets and noise as they start.
    n_restarts_optimizer : int, default=0
        Further searches from random hyper-parameters anywhere in the bounds of the kernel.
    tol : float, default=1e-4
        Largest entry of the gradient of the objective, per number measured, that counts as zero.
    max_iter : int, default=500
        Most iterations of a search.
    random_state : int, Generator or None, default=None
        Seed of the restarts.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with the hyper-parameters found.
    coregionalization_ : ndarray of shape (n_targets, n_targets)
        The matrix :math:`B`, for targets in units of their deviation.
    noise_ : ndarray of shape (n_targets,)
        Variances :math:`\sigma_t^2`, in the same units; none is below :math:`e^{-10}`.
    log_marginal_likelihood_value_ : float
        Log marginal likelihood of the scaled targets.
    X_train_ : ndarray or list
        Training objects.
    fit_report_ : FitReport
        Search and jitter; the objective is the negative log marginal likelihood per number.
    n_iter_ : int
        Iterations of the best search.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(N^3)` for ``N`` numbers measured.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.gp import MultiOutputGP
    >>> X, noise = np.linspace(0, 6, 20)[:, None], np.random.default_rng(0).normal(size=(20, 2))
    >>> Y = np.column_stack([np.sin(X[:, 0]), -2 * np.sin(X[:, 0])]) + 0.05 * noise
    >>> Y[10:, 1] = np.nan  # the second target was measured for the first half only
    >>> model = MultiOutputGP().fit(X, Y)
    >>> round(float(model.predict([[5.0]])[0, 1])), round(-2 * np.sin(5.0))
    (2, 2)
    """

    card = Card(tasks=("regression",), cost="cubic", max_rows=2_000, on_request=True)

    def __init__(
        self,
        *,
        kernel: Any = None,
        optimizer: str | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        tol: float = 1e-4,
        max_iter: int = 500,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any) -> Self:
        """Fit the hyper-parameters and condition the process on the data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            In a table of several targets NaN means not measured.

        Returns
        -------
        self
        """
        settings = self._settings()
        border = given_kernel(self, self.kernel, X, learns=self.optimizer is not None)
        kernel = border.kernel
        if isinstance(kernel, Precomputed):
            raise check.fail(self, "kernel", "a kernel of the rows of X", self.kernel)
        X, columns, self._single = self._table(kernel, X, y)
        units = Units.of(columns)
        scaled = units.scaled(columns)
        seen = Measurements.of(X, scaled)
        fits(settings.owner, seen.n)
        kernel = default_kernel(X, noise=False).fix("factor") if kernel is None else kernel
        solver = Coregionalized.guess(scaled)

        try:
            rng = randomness.generator(self.random_state)
            settings = replace(settings, optimizer=border.search(settings.optimizer))
            learned = learn(settings, kernel, solver, seen, rng)
            posterior = learned.solver.condition(learned.kernel, seen)
        except FitError as error:
            raise FitError(f"{settings.owner}: {error}") from error

        self.X_train_, self.kernel_ = X, border.shown(learned.kernel)
        self._fitted_kernel = learned.kernel
        self._units, self._posterior = units, posterior
        self.coregionalization_ = learned.solver.between
        self.noise_ = learned.solver.noise
        how = f"{solver.name}, {learned.solution.solver}"
        solution = replace(learned.solution, solver=how, repairs=posterior.repairs)
        self.log_marginal_likelihood_value_ = -seen.n * solution.objective
        self.fit_report_ = check.report(self, solution, learned.notes)
        self.n_iter_ = solution.n_iter
        return self

    def _settings(self) -> LearningSettings:
        check.params(self, positive="tol", count="max_iter")
        return LearningSettings(
            type(self).__name__,
            self.optimizer,
            self.n_restarts_optimizer,
            self.tol,
            self.max_iter,
        )

    def _table(self, kernel: Any, X: Any, y: Any) -> tuple[Any, Floats, bool]:
        """Checked objects, columns of targets with NaN where not measured, whether it is one."""
        table = np.asarray(y)
        hidden = None
        if table.ndim == 2 and table.shape[1] > 1 and table.dtype.kind == "f":
            hidden = np.isnan(table)
            if hidden.all(axis=0).any():
                raise check.fail(self, "y", "measured at least once for every target", "all NaN")
            y = np.where(hidden, 0.0, table)
        X, y = training(self, kernel, X, y, multi_output=True)
        columns = y.reshape(len(y), -1).copy()
        if hidden is not None:
            columns[hidden] = np.nan
        return X, columns, y.ndim == 1

    def _moments(self, X: Any) -> tuple[Floats, Floats]:
        check_is_fitted(self)
        X = new(self, self._fitted_kernel, X)
        diag = np.asarray(self._fitted_kernel.diag(X), dtype=np.float64)
        mean, var = self._posterior.predict(self._fitted_kernel, X, diag)
        return self._units.mean(mean), self._units.var(var)

    def _shaped(self, values: Floats) -> Floats:
        return values[:, 0] if self._single else values

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Mean of every target, with the standard deviation of its function if asked."""
        mean, var = self._moments(X)
        if return_std:
            return self._shaped(mean), self._shaped(np.sqrt(var))
        return self._shaped(mean)

    def predict_dist(self, X: Any) -> Normal:
        """Distribution of new observations of every target, noise included.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects

        Returns
        -------
        margin.distributions.Normal
            One for every row and target.
        """
        mean, var = self._moments(X)
        whole = var + self._units.var(self.noise_)
        return Normal(self._shaped(mean), self._shaped(np.sqrt(whole)))
