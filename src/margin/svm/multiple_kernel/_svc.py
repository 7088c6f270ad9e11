"""Support vector classification with a kernel that is put together from several."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check
from margin.optim import Duel
from margin.svm.kernel._classifier_answers import (
    answers_probabilities,
    decision_values,
    predicted,
    probabilities,
    set_kernel_tags,
)
from margin.svm.kernel._classifier_fit import (
    ClassifierData,
    check_votes,
    duel_rows,
    row_weights,
    store_machines,
)
from margin.svm.multiple_kernel._fit import (
    check_weight_params,
    learn,
    reading_kernel,
    stacked_data,
)
from margin.svm.multiple_kernel._stack import query_stack


class MultipleKernelSVC(ClassifierMixin, BaseEstimator):
    r"""Support vector classification that learns the weights of several kernels (svm.19).

    Minimises, over weights :math:`d \ge 0` of :math:`\sum_m d_m = 1` and functions
    :math:`f = \sum_m f_m + b`,

    .. math:: \tfrac12 \sum_m \frac{\|f_m\|^2_{k_m}}{d_m} + C \sum_i s_i \max(0, 1 - y_i f(x_i)),

    which is the support vector machine with the kernel :math:`\sum_m d_m k_m` and the best such
    kernel. The problem is convex, most weights of useless kernels are exactly zero, and the dual

    .. math:: \max_\alpha \sum_i \alpha_i
        - \tfrac12 \max_m \sum_{ij} \alpha_i \alpha_j y_i y_j k_m(x_i, x_j)

    proves how near the answer is to the optimum. With ``norm`` :math:`p > 1` the constraint is
    :math:`\|d\|_p \le M^{1/p - 1}`, that is, a power mean of the :math:`M` weights of :math:`1/M`:
    the larger :math:`p`, the more equal the weights, until ``numpy.inf`` takes the mean.

    Parameters
    ----------
    kernels : list, "precomputed" or None, default=None
        Names as in :class:`SVC`, :mod:`margin.kernels` objects (with
        :func:`~margin.kernels.on_columns` one per group of columns) and functions. ``None`` is the
        linear and three Gaussian kernels, of a tenth of ``gamma``, ``gamma`` and ten times
        ``gamma``. For ``"precomputed"``, ``X`` is an array of shape (n_kernels, n, n).
    C : float, default=1.0
        Price of a margin error, above 0.
    strategy : {"joint", "alignment", "mean"}, default="joint"
        Weights learnt together with the machines; those whose kernel has the largest centred
        alignment with the labels, found before; or equal weights.
    norm : float, default=1.0
        The :math:`p` of ``"joint"``, at least 1.
    normalize : bool, default=True
        Whether every kernel is first divided by the variance of the training rows in its feature
        space, :math:`\tfrac1n \sum_i k(x_i, x_i) - \tfrac1{n^2} \sum_{ij} k(x_i, x_j)`: otherwise
        large kernels win. It changes the meaning of ``C``.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels, as in :class:`SVC`.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    probability : bool, "sigmoid" or "isotonic", default=False
        Whether to fit :meth:`predict_proba`, as in :class:`SVC`.
    tol : float, default=1e-3
        Duality gap, divided by the objective, that counts as converged.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    max_iter : int, default=100
        Most changes of the weights.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        One column per class or per pair of classes.
    break_ties : bool, default=True
        Whether equal numbers of votes are decided by the decision values.
    multi_class : {"ovo", "ovr", "dag"}, default="ovo"
        How more than two classes are reduced to pairs, as in :class:`SVC`. All machines share one
        vector of weights, which minimises the sum of their objectives.
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
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    support_, support_vectors_, n_support_, dual_coef_, intercept_ : ndarray
        As in :class:`SVC`.
    support_report_ : SupportReport or list of them
        Kinds of the training rows, for every machine.
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
    All kernel matrices are held in memory, at most 2 GB. Every change of the weights trains the
    machines again from where they were. For :math:`p = 1` it is a Newton step on the simplex: the
    unbound support vectors say how the gradient will change. For :math:`p > 1` the weights have the
    closed form :math:`d_m \propto \|f_m\|^{2 / (p + 1)}`, which converges slowly near 1.

    References
    ----------
    Rakotomamonjy, Bach, Canu and Grandvalet, SimpleMKL, JMLR 2008. Chapelle and Rakotomamonjy,
    Second order optimization of kernel parameters, 2008. Kloft, Brefeld, Sonnenburg and Zien,
    lp-norm multiple kernel learning, JMLR 2011.

    Examples
    --------
    Labels that depend on the first of two columns only:

    >>> import numpy as np
    >>> from margin.kernels import RBF, on_columns
    >>> from margin.svm import MultipleKernelSVC
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> parts = [on_columns(RBF(1.0), [0]), on_columns(RBF(1.0), [1])]
    >>> MultipleKernelSVC(kernels=parts).fit(X, np.abs(X[:, 0]) > 0.7).weights_.round(2)
    array([0.98, 0.02])
    """

    # A machine for every change of the weights: too slow to be tuned among dozens of models.
    card = Card(tasks=("classification",), cost="quadratic", max_rows=2_000)

    def __init__(
        self,
        *,
        kernels=None,
        C=1.0,
        strategy="joint",
        norm=1.0,
        normalize=True,
        degree=3,
        gamma="scale",
        coef0=0.0,
        probability=False,
        tol=1e-3,
        class_weight=None,
        max_iter=100,
        decision_function_shape="ovr",
        break_ties=True,
        multi_class="ovo",
        random_state=None,
        n_jobs=None,
    ):
        self.kernels = kernels
        self.C = C
        self.strategy = strategy
        self.norm = norm
        self.normalize = normalize
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.probability = probability
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.multi_class = multi_class
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """The candidate that says what ``X`` is: a table, a list of objects, or matrices."""
        return reading_kernel(self)

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Learn the weights of the kernels and the machines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            For ``kernels="precomputed"`` the matrices, of shape (n_kernels, n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check_weight_params(self)
        check_votes(self)
        X, y, weight, stack = stacked_data(self, X, y, sample_weight, "classes")
        self.classes_, codes = check.classes(self, y)
        factor = row_weights(self, codes, weight)
        duels = [Duel(rows, sign, self.C * factor[rows]) for rows, sign in duel_rows(self, codes)]

        found = learn(self, X, codes, weight, stack, duels)
        data = ClassifierData(found.X, codes, found.kernel, found.gram, factor)
        store_machines(self, data, found.point.machines)
        return self

    def _given(self, X):
        check_is_fitted(self)
        return query_stack(self, X) if self.kernel == "precomputed" else X

    def decision_function(self, X):
        """Distances from the boundary in units of the margin.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For ``kernels="precomputed"`` of shape (n_kernels, n_queries, n_samples).

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, n_classes) or (n_queries, n_pairs)
            As in :class:`SVC`.
        """
        return decision_values(self, self._given(X))

    def predict(self, X):
        """Label of every row."""
        return predicted(self, self._given(X))

    @available_if(answers_probabilities)
    def predict_proba(self, X):
        """Probability of every class, in the order of ``classes_``; those of pairs are coupled."""
        return probabilities(self, self._given(X))

    @available_if(answers_probabilities)
    def predict_log_proba(self, X):
        """Logarithm of :meth:`predict_proba`."""
        return np.log(self.predict_proba(X))

    def __sklearn_tags__(self):
        tags = set_kernel_tags(self, super().__sklearn_tags__())
        tags.input_tags.three_d_array = self.kernel == "precomputed"
        return tags
