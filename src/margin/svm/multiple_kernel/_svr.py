"""Support vector regression with a kernel that is put together from several."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check
from margin.optim import Tube
from margin.svm.kernel._classifier_answers import set_kernel_tags
from margin.svm.kernel._single_fit import single_values, store_single
from margin.svm.multiple_kernel._fit import (
    check_weight_params,
    learn,
    reading_kernel,
    stacked_data,
)
from margin.svm.multiple_kernel._stack import query_stack


class MultipleKernelSVR(RegressorMixin, BaseEstimator):
    r"""Support vector regression that learns the weights of several kernels (svm.19).

    Minimises, over weights :math:`d \ge 0` of :math:`\sum_m d_m = 1` and functions
    :math:`f = \sum_m f_m + b`,

    .. math:: \tfrac12 \sum_m \frac{\|f_m\|^2_{k_m}}{d_m}
        + C \sum_i s_i \max(0, |y_i - f(x_i)| - \epsilon),

    as :class:`MultipleKernelSVC` does for classes.

    Parameters
    ----------
    kernels : list, "precomputed" or None, default=None
        As in :class:`MultipleKernelSVC`.
    C : float, default=1.0
        Price of an error outside the tube, above 0.
    epsilon : float, default=0.1
        Half width of the tube, at least 0.
    strategy : {"joint", "alignment", "mean"}, default="joint"
        Weights learnt together with the machine; those whose kernel has the largest centred
        alignment with the products of the targets, found before; or equal weights.
    norm : float, default=1.0
        As in :class:`MultipleKernelSVC`: the larger, the more equal the weights.
    normalize : bool, default=True
        Whether every kernel is first divided by the variance of the training rows in its feature
        space; it changes the meaning of ``C``.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels, as in :class:`SVR`.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    tol : float, default=1e-3
        Duality gap, divided by the objective, that counts as converged.
    max_iter : int, default=100
        Most changes of the weights.
    random_state : int, Generator or RandomState, optional
        Used where several thousand unbound support vectors must be sampled.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_kernels,)
        The weights :math:`d`, of the normalised kernels.
    kernel_ : Kernel or None
        The weighted sum, for any other kernel machine; ``None`` for matrices.
    support_, support_vectors_, n_support_, dual_coef_, intercept_ : ndarray
        As in :class:`SVR`.
    support_report_ : SupportReport
        Rows on the border of the tube (unbound), outside it (bound, margin errors).
    fit_report_ : FitReport
        Primal objective, its trace, the relative duality gap of the whole problem, and the weights
        with the names of the kernels.
    n_iter_ : int
        Changes of the weights.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Cost and memory as for :class:`MultipleKernelSVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.svm import MultipleKernelSVR
    >>> X = np.linspace(-3, 3, 50)[:, None]
    >>> model = MultipleKernelSVR(kernels=["linear", "rbf"], C=10.0).fit(X, np.sin(2 * X[:, 0]))
    >>> model.weights_.round(2), model.score(X, np.sin(2 * X[:, 0])) > 0.95
    (array([0., 1.]), True)
    """

    # A machine for every change of the weights: too slow to be tuned among dozens of models.
    card = Card(tasks=("regression",), cost="quadratic", max_rows=2_000)

    def __init__(
        self,
        *,
        kernels=None,
        C=1.0,
        epsilon=0.1,
        strategy="joint",
        norm=1.0,
        normalize=True,
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        max_iter=100,
        random_state=None,
        n_jobs=None,
    ):
        self.kernels = kernels
        self.C = C
        self.epsilon = epsilon
        self.strategy = strategy
        self.norm = norm
        self.normalize = normalize
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """The candidate that says what ``X`` is: a table, a list of objects, or matrices."""
        return reading_kernel(self)

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Learn the weights of the kernels and the machine.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            For ``kernels="precomputed"`` the matrices, of shape (n_kernels, n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check_weight_params(self)
        check.params(self, nonnegative="epsilon")
        X, y, weight, stack = stacked_data(self, X, y, sample_weight, "numeric")
        bound = np.full(len(y), self.C) if weight is None else self.C * weight
        task = Tube(np.arange(len(y)), y, bound, float(self.epsilon))

        found = learn(self, X, y, weight, stack, [task])
        machine = found.point.machines[0]
        margin = 1.0 + self.epsilon - np.abs(y - machine.decision)
        store_single(self, found.X, found.kernel, machine, margin)
        return self

    def predict(self, X):
        """Predicted number of every row.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For ``kernels="precomputed"`` of shape (n_kernels, n_queries, n_samples).

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return single_values(self, query_stack(self, X) if self.kernel == "precomputed" else X)

    def __sklearn_tags__(self):
        tags = set_kernel_tags(self, super().__sklearn_tags__())
        tags.input_tags.three_d_array = self.kernel == "precomputed"
        return tags
