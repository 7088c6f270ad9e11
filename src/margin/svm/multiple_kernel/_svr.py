"""Support vector regression with a kernel that is put together from several."""

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from margin.core import Card, atomic, check
from margin.core.types import Array
from margin.optim import GramMatrix, Tube
from margin.svm.kernel._single_duals import in_tube
from margin.svm.kernel._single_machine import SingleMachine, shown
from margin.svm.multiple_kernel._weighted_machine import WeightedMachine


class MultipleKernelSVR(RegressorMixin, SingleMachine, WeightedMachine):
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
        kernels: Any = None,
        C: float = 1.0,
        epsilon: float = 0.1,
        strategy: str = "joint",
        norm: float = 1.0,
        normalize: bool = True,
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        max_iter: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
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

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        self._check_weights()
        check.params(self, nonnegative="epsilon")
        X, y, weight, stack = self._stacked(X, y, sample_weight, "numeric")
        bound = np.full(len(y), self.C) if weight is None else self.C * weight
        task = Tube(np.arange(len(y)), y, bound, float(self.epsilon))

        learnt = self._learn(stack, y, weight, [task])

        gram = GramMatrix(stack.combined(learnt.point.weights))
        given = gram.matrix if stack.parts is None else X
        single = in_tube(learnt.machines[0], y, float(self.epsilon))
        self._keep_weights(learnt, gram)
        self._keep_single(shown(learnt.kernel, given, single, float(self.tol)))
        return self

    def predict(self, X: Any) -> Array:
        """Predicted number of every row.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For ``kernels="precomputed"`` of shape (n_kernels, n_queries, n_samples).

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        return self._values(X)
