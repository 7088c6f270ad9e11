"""Support vector regression that finds the width of its tube."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, atomic, check
from margin.svm._classifier_answers import linear_weights, set_kernel_tags
from margin.svm._dual_fit import nu_regression
from margin.svm._single_fit import check_bound, fit_single, single_values


class NuSVR(RegressorMixin, BaseEstimator):
    r"""Support vector regression with a given share of rows outside the tube (svm.15).

    Minimises :math:`\tfrac12 \|w\|^2 + C \bigl(\nu n \epsilon + \sum_i \max(0, |y_i - f(x_i)| -
    \epsilon)\bigr)` over :math:`w`, :math:`b` and the half width :math:`\epsilon \ge 0`: at most a
    share :math:`\nu` of the rows lies outside the tube, at least that share are support vectors.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error outside the tube, above 0; finite.
    nu : float, default=0.5
        Share of rows outside the tube, above 0 and at most 1.
    kernel : str, Kernel or callable, default="rbf"
        ``"rbf"``, ``"linear"``, ``"poly"``, ``"sigmoid"``, ``"cosine"`` or ``"laplacian"``, any
        :mod:`margin.kernels` object (kernels of strings, trees or graphs take lists of such objects
        as ``X``), a function ``kernel(X, Z)``, or ``"precomputed"``.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels: ``"scale"`` is 1 / (n_features * variance of ``X``), ``"auto"``
        is 1 / n_features.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether multipliers that rest at their bounds may leave the game for a while.
    tol : float, default=1e-3
        Largest violation of the optimality conditions.
    cache_size : float, default=200
        Megabytes of kernel rows that are kept; never exceeded by more than one working set.
    max_iter : int, default=-1
        Most pairs of multipliers that are optimised; -1 for ten million plus a hundred per row.
    solver : {"smo", "qp"}, default="smo"
        ``"qp"`` hands the dual to a general solver of quadratic programs: for small data, and to
        check.
    verbose : bool, default=False
        Print the fit report.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of int
        Rows that are support vectors.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    n_support_ : ndarray of shape (1,)
        Number of support vectors.
    dual_coef_ : ndarray of shape (1, n_support)
        Their coefficients :math:`\alpha_i^* - \alpha_i`, which sum to zero.
    coef_ : ndarray of shape (1, n_features)
        Weights of the features, for the linear kernel only.
    intercept_ : ndarray of shape (1,)
        Bias.
    support_report_ : SupportReport
        Rows on the border of the tube (unbound), outside it (bound, margin errors).
    epsilon_ : float
        Half width of the tube that was found.
    fit_report_ : FitReport
        Status, objective (minus the dual) and its trace, and the violation of the optimality
        conditions; primal value and duality gap are among the notes.
    n_iter_ : int
        Pairs optimised.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    As for :class:`SVC`.

    Examples
    --------
    >>> from margin.svm import NuSVR
    >>> model = NuSVR(kernel="linear", C=10.0, nu=0.5).fit([[0], [1], [2]], [0.0, 1.0, 2.0])
    >>> model.predict([[1]]).round(6), round(model.epsilon_, 6)
    (array([1.]), 0.0)
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={
            "C": (1e-2, 1e3, "log"),
            "gamma": (1e-3, 1e1, "log"),
            "nu": [0.1, 0.3, 0.5, 0.7],
        },
        max_rows=20_000,
        on_request=True,
    )

    def __init__(
        self,
        *,
        C=1.0,
        nu=0.5,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        tol=1e-3,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        solver="smo",
        n_jobs=None,
    ):
        self.C = C
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the machine.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, positive="C nu", fraction="nu")
        check_bound(self)
        return fit_single(self, X, y, sample_weight, self._train)

    def _train(self, gram, y, bound, n_threads, tick):
        machine, self.epsilon_ = nu_regression(gram, y, bound, self.nu, self, n_threads, tick)
        return machine, 1.0 + self.epsilon_ - np.abs(y - machine.decision)

    @property
    def coef_(self):
        """Weights of the features for the linear kernel."""
        return linear_weights(self)

    def predict(self, X):
        """Predicted number of every row.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For a precomputed kernel the values with all training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return single_values(self, X)

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())
