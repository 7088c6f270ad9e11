"""Gaussian process regression."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from margin.core import Card, atomic, check
from margin.core import random as randomness
from margin.gp._border import Border, given_kernel
from margin.gp._default_kernel import default_kernel
from margin.gp._inputs import training
from margin.gp.learning._settings import LearningSettings
from margin.gp.regression._answers import RegressionAnswers
from margin.gp.regression._fit import fit_process
from margin.gp.regression._mean import fit_mean
from margin.gp.regression._prediction import Predictor
from margin.gp.regression._settings import METHODS, RegressionSettings, noise_levels
from margin.gp.regression._units import Units
from margin.gp.solvers._interface import Observations
from margin.kernels import SearchedKernel


class GaussianProcessRegressor(
    RegressionAnswers, MultiOutputMixin, RegressorMixin, SearchedKernel, BaseEstimator
):
    r"""Gaussian process regression, exact or through inducing points (gp.01, gp.02, gp.03).

    The model is :math:`y_i = m(x_i) + f(x_i) + \epsilon_i` with
    :math:`f \sim \mathrm{GP}(0, k)` and :math:`\epsilon_i \sim N(0, \alpha_i)`; white noise may
    also be part of the kernel. With :math:`C = K + \operatorname{diag}(\alpha)`,

    .. math:: E f(x) = k(x)^\top C^{-1} (y - m), \qquad
              \operatorname{var} f(x) = k(x, x) - k(x)^\top C^{-1} k(x).

    The mean is also the minimiser of :math:`\sum_i (y_i - f(x_i))^2 / \alpha_i + \|f\|^2` in the
    space of the kernel (gp.06). The hyper-parameters of the kernel maximise the marginal
    likelihood :math:`\log p(y) = -\tfrac12 y^\top C^{-1} y - \tfrac12 \log\det C - \tfrac n2
    \log 2\pi`, with analytic gradients.

    Parameters
    ----------
    kernel : Kernel, str, callable or None, default=None
        Covariance :math:`k` of :mod:`margin.kernels`, or one of scikit-learn's, with its bounds;
        kernels of strings, trees or graphs take lists of such objects. ``"precomputed"``: ``X``
        is the matrix :math:`K`. None: a Gaussian
        with one length scale per column (up to 20 columns, then one for all), learned, plus noise.
    alpha : float or array-like of shape (n_samples,), default=1e-10
        Known variance of the noise, one for all or one per row; 0 interpolates. A row of weight
        :math:`w` is one of noise :math:`\alpha / w`.
    mean : {"zero", "constant", "linear"} or callable, default=None
        Mean function :math:`m`. The coefficients of ``"constant"`` and ``"linear"``, or of a
        callable that gives a row of basis functions for each row, are unknown and integrated out
        under a flat prior; a callable that gives one number per row is a known mean. None: zero.
    normalize_y : bool or "auto", default="auto"
        Whether to centre and scale the targets first, ``alpha`` and kernel being for scaled ones;
        ``"auto"`` does so when the kernel is the default one.
    method : {"auto", "exact", "cg", "compact", "fitc", "variational", "state-space", "grid"}
        ``"exact"`` factors the covariance matrix; ``"fitc"`` and ``"variational"`` work through
        inducing points; ``"state-space"`` is exact in linear time, for one column and sums of
        Matérn kernels with ``nu`` 0.5, 1.5 or 2.5; ``"grid"`` is exact along the axes of a grid,
        for kernels that are products over columns; ``"cg"`` solves by conjugate gradients, exact
        up to a tolerance but for the random error of the log-determinant, which is reported;
        ``"compact"`` takes the sparse matrix of a kernel of compact support, such as
        :class:`~margin.kernels.Wendland`. ``"auto"``, the default, takes the grid where there is
        one, factors up to 2000 rows, then takes the state-space form or the sparse matrix where
        there is one, else variational, with the hyper-parameters learnt from at most 4000 rows.
    n_inducing : int or None, default=None
        Number of inducing points; None: 500, or all different rows if these are fewer.
    learn_inducing : bool, default=False
        Whether to move the inducing points to raise the objective, instead of placing them at
        cluster centres.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        Search for the hyper-parameters; a callable is called as in scikit-learn. None keeps the
        kernel as it is.
    n_restarts_optimizer : int, default=0
        Further searches from random starts anywhere in the bounds of the kernel.
    tol : float, default=1e-5
        Largest entry of the gradient of the objective, per row, that counts as zero.
    max_iter : int, default=200
        Most iterations of a search.
    copy_X_train : bool, default=True
        Without effect: the model always keeps a copy of its own, which nobody else can change.
    n_targets : int or None, default=None
        Number of targets, for what is asked before ``fit``; None: one. ``fit`` refuses others.
    random_state : int, Generator or None, default=None
        Seed of the restarts and of the choice of inducing points.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with the hyper-parameters found; scikit-learn's where one of these was given.
    alpha_ : ndarray of shape (n_samples,) or (n_samples, n_targets), or None
        Dual coefficients :math:`C^{-1} (y - m)` of the exact method.
    L_ : ndarray of shape (n_samples, n_samples), or None
        Lower Cholesky factor of :math:`C`, for the exact method.
    log_marginal_likelihood_value_ : float
        Log marginal likelihood at ``kernel_``, or the bound or approximation of the method.
    X_train_ : ndarray or list
        Training objects.
    y_train_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Targets as the model saw them, centred and scaled if it was asked for.
    mean_coef_ : ndarray of shape (n_functions,) or (n_functions, n_targets)
        Posterior mean of the coefficients of the mean function, of scaled targets.
    inducing_points_ : ndarray, list or None
        Inducing points; None for the exact method.
    fit_report_ : FitReport
        Method and why, search, jitter. The objective is the negative log marginal likelihood per
        row.
    n_iter_ : int
        Iterations of the best search.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Exact: :math:`O(n^3)` time and two :math:`n \times n` matrices. With ``m`` inducing points
    :math:`O(n m^2)` time and :math:`O(n m)` memory, in blocks; in state-space form :math:`O(n)`;
    on a grid with :math:`m_j` points along its axes :math:`O(n \sum_j m_j)`, on a regular line
    :math:`O(n^2)` time and :math:`O(n)` memory. Conjugate gradients: :math:`O(n^2)` per iteration,
    the matrix kept where it fits into memory. Compact support: about the number of entries that
    are not zero, and of the fill of the sparse factor.
    The restricted likelihood of a mean with unknown coefficients is the density of the contrasts
    of :math:`y` that do not depend on them. With a linear kernel this is Bayesian linear
    regression (gp.07).

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006.
    M. Titsias, Variational learning of inducing variables in sparse Gaussian processes, 2009.

    Examples
    --------
    >>> from margin.gp import GaussianProcessRegressor
    >>> from margin.kernels import RBF
    >>> model = GaussianProcessRegressor(kernel=RBF(1.0), alpha=0.1, optimizer=None)
    >>> model = model.fit([[0.0]], [1.0])
    >>> mean, std = model.predict([[2.0 ** 0.5]], return_std=True)
    >>> mean.round(8), (std**2).round(8)
    (array([0.33443586]), array([0.87696792]))
    >>> model.predict_dist([[2.0 ** 0.5]]).var.round(8)
    array([0.97696792])
    """

    card = Card(tasks=("regression",), cost="cubic", max_rows=20_000)

    def __init__(
        self,
        kernel: Any = None,
        *,
        alpha: Any = 1e-10,
        mean: str | Callable[[Any], Any] | None = None,
        normalize_y: bool | str = "auto",
        method: str = "auto",
        n_inducing: int | None = None,
        learn_inducing: bool = False,
        optimizer: str | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        tol: float = 1e-5,
        max_iter: int = 200,
        copy_X_train: bool = True,
        n_targets: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.alpha = alpha
        self.mean = mean
        self.normalize_y = normalize_y
        self.method = method
        self.n_inducing = n_inducing
        self.learn_inducing = learn_inducing
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.tol = tol
        self.max_iter = max_iter
        self.copy_X_train = copy_X_train
        self.n_targets = n_targets
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any) -> Self:
        """Fit the hyper-parameters and condition the process on the data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of objects
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Several targets share the kernel.

        Returns
        -------
        self
        """
        border = given_kernel(self, self.kernel, X, learns=self.optimizer is not None)
        settings, kernel = self._settings(border), border.kernel
        X, y = training(self, kernel, X, y, multi_output=True)
        noise, columns = noise_levels(self, self.alpha, len(y)), y.reshape(len(y), -1)
        if self.n_targets not in (None, columns.shape[1]):
            need = f"None or {columns.shape[1]}. The number of targets seen in `y` differs"
            raise check.fail(self, "n_targets", need, self.n_targets)
        units = Units.of(columns) if self._normalizes() else Units.none(columns.shape[1])
        if kernel is None:
            kernel = default_kernel(X, noise=True)
        mean, H, offset = fit_mean(self, self.mean, X)
        if H.shape[1] >= len(y):
            need = f"a basis of fewer functions than the {len(y)} samples"
            raise check.fail(self, "mean", need, self.mean)
        scaled = units.scaled(columns)
        seen = Observations(X, scaled - offset[:, None], noise, H)

        process = fit_process(settings, kernel, seen, randomness.generator(self.random_state))

        self._border, self._seen, self._fitted_solver = border, seen, process.solver
        self._predictor = Predictor(
            settings.owner, process.kernel, X, mean, units, process.posterior, columns.shape[1] == 1
        )
        self.X_train_, self.y_train_ = X, scaled.reshape(y.shape)
        self.kernel_ = border.shown(process.kernel)
        self.log_marginal_likelihood_value_ = -seen.n * process.solution.objective
        self.inducing_points_ = getattr(process.solver, "Z", None)
        self.mean_coef_ = mean.coefficients(process.posterior.coefficients)
        self.fit_report_ = check.report(self, process.solution, process.notes)
        self.n_iter_ = process.solution.n_iter
        if self.optimizer is not None:
            border.warn(process.kernel)
        return self

    def _settings(self, border: Border) -> RegressionSettings:
        check.params(
            self,
            flag="learn_inducing copy_X_train",
            positive="tol",
            count="max_iter",
            one_of={"method": METHODS},
        )
        if self.n_inducing is not None:
            check.params(self, count="n_inducing")
        if self.n_targets is not None:
            check.params(self, count="n_targets")
        border.check_restarts(self, self.n_restarts_optimizer)
        if not (isinstance(self.normalize_y, bool | np.bool_) or self.normalize_y == "auto"):
            raise check.fail(self, "normalize_y", "True, False or 'auto'", self.normalize_y)
        if np.ndim(self.alpha) == 0:
            check.params(self, nonnegative="alpha")
        learning = LearningSettings(
            type(self).__name__,
            border.search(self.optimizer),
            self.n_restarts_optimizer,
            self.tol,
            self.max_iter,
        )
        return RegressionSettings(self.method, self.n_inducing, self.learn_inducing, learning)

    def _normalizes(self) -> bool:
        if isinstance(self.normalize_y, str):
            return self.kernel is None
        return bool(self.normalize_y)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
