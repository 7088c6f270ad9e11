"""Kernel ridge regression."""

from collections.abc import Sequence
from functools import partial
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Certificate, FitError, Solution, Status, atomic, check
from margin.core.types import Floats, Places
from margin.gp._inputs import Precomputed, new, own_rows, structured, training
from margin.gp.regression._ridge_solve import RidgeSolve
from margin.gp.regression._ridge_task import RidgeTask
from margin.kernels import Custom, Kernel, Linear, SearchedKernel, apply, resolve

_ALIAS = {"polynomial": "poly"}


class KernelRidge(MultiOutputMixin, RegressorMixin, SearchedKernel, BaseEstimator):
    r"""Least squares in the space of a kernel with a quadratic penalty (gp.04, gp.06).

    Minimises :math:`\sum_i s_i (y_i - f(x_i))^2 + \alpha \|f\|^2` over all functions of the space.
    By the representer theorem the minimiser is

    .. math:: f = \sum_i a_i\, k(x_i, \cdot), \qquad (K + \alpha S^{-1})\, a = y,

    the posterior mean of a Gaussian process with noise variance :math:`\alpha / s_i`. With an
    intercept the mean is an unknown constant, :math:`(K + \alpha S^{-1})\, a + b = y` and
    :math:`\sum_i a_i = 0`.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1.0
        Strength of the penalty, at least 0: the variance of the noise.
    kernel : str, Kernel or callable, default="linear"
        ``"linear"``, ``"poly"``, ``"polynomial"``, ``"rbf"``, ``"sigmoid"``, ``"cosine"``,
        ``"laplacian"``, ``"precomputed"``, a kernel of :mod:`margin.kernels` (kernels of strings,
        trees or graphs take lists of such objects), or a function of two tables that gives the
        matrix.
    gamma : float, "scale", "auto" or None, default=None
        Factor of the named kernels; None is 1 / n_features.
    degree : int, default=3
        Degree of ``"poly"``.
    coef0 : float, default=1
        Constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict, optional
        Keyword arguments of a function given as kernel.
    fit_intercept : bool, default=False
        Whether to add a constant that is not penalised; without it, as in scikit-learn, the
        function goes to zero where the kernel does.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients :math:`a`.
    intercept_ : float or ndarray of shape (n_targets,)
        Constant :math:`b`, 0 without an intercept.
    X_fit_ : ndarray, sparse matrix or list
        Training objects, the kernel matrix if it was precomputed.
    kernel_ : Kernel
        The kernel used.
    loo_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Prediction of each training target by the fit to all the others, in closed form, computed
        when first asked for.
    fit_report_ : FitReport
        Its certificate is the largest entry of :math:`\alpha a - S(y - f(X))`, relative to the
        terms: where it is zero, no function of the space does better.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^3)` time, three :math:`n \times n` matrices; with the linear kernel and more
    rows than columns :math:`O(n p^2)` and no matrix of the rows. A matrix that would not fit is
    refused before it is made. A kernel that is not positive definite, as ``"sigmoid"`` may be,
    has no minimiser: unless the penalty makes up for it, the smallest eigenvalue is named.

    Examples
    --------
    >>> from margin.gp import KernelRidge
    >>> model = KernelRidge(alpha=0.5, kernel="rbf", gamma=1.0).fit([[0.0], [1.0]], [1.0, 2.0])
    >>> model.predict([[0.0], [0.5]]).round(6)
    array([0.8193  , 1.250831])
    >>> model.loo_prediction_.round(6)
    array([0.490506, 0.245253])
    """

    card = Card(
        tasks=("regression",),
        cost="cubic",
        search_space={
            "alpha": (1e-4, 10.0, "log"),
            "kernel": ["rbf", "laplacian"],
            "gamma": (1e-3, 10.0, "log"),
            "fit_intercept": [True],
        },
        max_rows=10_000,
    )

    def __init__(
        self,
        alpha: Any = 1,
        *,
        kernel: Any = "linear",
        gamma: float | str | None = None,
        degree: int = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = False,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solve for the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y = self._training(X, y)
        n = len(y)
        weight = check.weights(self, sample_weight, n)
        Y, kernel = np.array(y).reshape(n, -1), self._resolved(X)
        weight = None if weight is None else weight.copy()  # kept with the targets
        task = RidgeTask(
            type(self).__name__, Y, weight, self._strengths(Y.shape[1]), bool(self.fit_intercept)
        )
        try:
            systems = task.solved(kernel, X)
        except FitError as error:
            raise FitError(f"{type(self).__name__}: {error}") from error
        a, b = np.empty_like(Y), np.empty(Y.shape[1])
        for (_, columns), solved in zip(task.strengths, systems, strict=True):
            a[:, columns], b[columns] = solved.coefficients, solved.intercept
        self.kernel_, self.X_fit_ = kernel, X
        self.dual_coef_ = a[:, 0] if y.ndim == 1 else a
        self.intercept_ = float(b[0]) if y.ndim == 1 else b
        self._task = task
        self.__dict__.pop("_held_out", None)
        self.fit_report_ = check.report(self, _solution(systems))
        return self

    @property
    def loo_prediction_(self) -> Floats:
        """Prediction of each training target by the fit to all the others, in closed form.

        Computed when first asked for: it costs more than the fit.
        """
        check_is_fitted(self)
        if not hasattr(self, "_held_out"):
            self._held_out = self._task.held_out(self.kernel_, self.X_fit_)
        return self._held_out[:, 0] if self.dual_coef_.ndim == 1 else self._held_out

    def predict(self, X: Any) -> Floats:
        """Predicted targets, of shape (n_samples,) or (n_samples, n_targets)."""
        check_is_fitted(self)
        if isinstance(self.kernel_, Precomputed):
            K = new(self, self.kernel_, X)
            return np.asarray(K @ self.dual_coef_ + self.intercept_)
        if structured(self.kernel_):
            X = new(self, self.kernel_, X)
        else:
            X = check.table(self, X, sparse=True, order="C").astype(np.float64, copy=False)
        if isinstance(X, np.ndarray) and self.kernel_ == Linear():
            return np.asarray(X @ (self.X_fit_.T @ self.dual_coef_) + self.intercept_)
        return apply(self.kernel_, X, self.X_fit_, self.dual_coef_) + self.intercept_

    def _check_params(self) -> None:
        if np.ndim(self.alpha) == 0:
            check.params(self, nonnegative="alpha")
        elif not np.isfinite(self.alpha).all() or np.min(self.alpha) < 0:
            raise check.fail(self, "alpha", "at least 0 for every target", self.alpha)
        check.params(self, count="degree", flag="fit_intercept")
        gamma: Any = self.gamma
        number = isinstance(gamma, int | float | np.number) and not isinstance(gamma, bool)
        if not (number and 0 < gamma < np.inf):
            check.params(self, one_of={"gamma": (None, "scale", "auto")})
        constant: Any = self.coef0
        number = isinstance(constant, Real) and constant is not True and constant is not False
        if not number or not abs(float(constant)) < np.inf:
            raise check.fail(self, "coef0", "a finite number", constant)
        options: Any = self.kernel_params
        if options is not None and not isinstance(options, dict):
            raise check.fail(self, "kernel_params", "None or a dict", options)

    def _training(self, X: Any, y: Any) -> tuple[Any, Floats]:
        if structured(self.kernel if isinstance(self.kernel, Kernel) else None):
            return training(self, self.kernel, X, y)
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            return training(self, Precomputed(), X, y, multi_output=True)
        X, y, _ = check.data(self, X, y, sparse=True, multi_output=True, order="C")
        return own_rows(X), y

    def _resolved(self, X: Any) -> Any:
        kernel = self.kernel
        if isinstance(kernel, str) and kernel == "precomputed":
            return Precomputed()
        if callable(kernel) and not isinstance(kernel, Kernel):
            return Custom(partial(kernel, **self.kernel_params) if self.kernel_params else kernel)
        if isinstance(kernel, str):
            kernel = _ALIAS.get(kernel, kernel)
        try:
            return resolve(
                kernel, gamma=self.gamma, degree=int(self.degree), coef0=float(self.coef0), X=X
            )
        except ValueError as error:
            # The kernels speak in their own name; a user knows this estimator.
            raise ValueError(str(error).replace("kernels:", f"{type(self).__name__}:")) from error

    def _strengths(self, targets: int) -> list[tuple[float, Places]]:
        strengths = np.atleast_1d(np.asarray(self.alpha, dtype=np.float64))
        if strengths.ndim != 1 or len(strengths) not in (1, targets):
            need = f"a number or one per target ({targets})"
            raise check.fail(self, "alpha", need, self.alpha)
        if len(strengths) == 1:
            return [(float(strengths[0]), np.arange(targets))]
        return [(float(v), np.flatnonzero(strengths == v)) for v in np.unique(strengths)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        matrix = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.pairwise = matrix
        tags.input_tags.sparse = not matrix
        return tags


def _solution(systems: Sequence[RidgeSolve]) -> Solution:
    worst = max(systems, key=lambda solved: solved.residual / solved.tolerance)
    certificate = Certificate("representer residual", worst.residual, worst.tolerance)
    return Solution(
        np.empty(0),
        Status.CONVERGED if certificate.holds else Status.STALLED,
        1,
        sum(solved.objective for solved in systems),
        certificate=certificate,
        solver="cholesky",
        message="" if certificate.holds else "the system is ill-conditioned; raise alpha",
        repairs=tuple(dict.fromkeys(filter(None, (solved.repair for solved in systems)))),
    )
