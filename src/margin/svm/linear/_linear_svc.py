"""Linear support vector classification."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import (
    Card,
    Solution,
    atomic,
    best_label,
    check,
    linear_scores,
    progress,
    random,
    threads,
)
from margin.svm.kernel._classifier_fit import row_weights
from margin.svm.linear._linear_fit import (
    check_linear_params,
    linear_dual,
    solve_linear,
    solve_together,
)


class LinearSVC(ClassifierMixin, BaseEstimator):
    r"""Linear support vector classification for many rows and features (svm.06, svm.09).

    Minimises
    :math:`\tfrac12 \|w\|^2 + \tfrac{b^2}{2 c^2} + C \sum_i s_i \ell(y_i (x_i^\top w + b))`
    with :math:`\ell(m) = \max(0, 1 - m)` or its square, labels :math:`\pm 1`, weights :math:`s_i`
    and :math:`c` the ``intercept_scaling``. With :math:`\lambda = 1 / (C n)` the hinge is
    :math:`\tfrac\lambda2 \|w\|^2` plus the mean hinge, up to a factor. More than two classes: one
    machine per class against all others or, after Crammer and Singer (svm.18), one problem with the
    loss :math:`\max_k (f_k(x_i) - f_{y_i}(x_i) + [k \ne y_i])` of all functions together.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin error, above 0.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        The loss above.
    dual : {"auto", True, False}, default="auto"
        ``True``: coordinate descent on the dual (:class:`~margin.optim.DualDescent`). ``False``:
        Newton steps (:class:`~margin.optim.SemismoothNewton`), for both losses. ``"auto"``: the
        dual for sparse tables of more than 1500 columns, otherwise Newton. All reach the same
        minimum.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        How more than two classes are told apart. ``"crammer_singer"`` has its own loss and solver
        (:class:`~margin.optim.MulticlassDescent`): ``loss`` and ``dual`` do not matter.
    tol : float, default=1e-4
        Duality gap, divided by the objective, that counts as converged.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    intercept_scaling : float, default=1.0
        The intercept is the weight of a constant feature of this value, penalised like the others;
        ``numpy.inf`` leaves it unpenalised.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    max_iter : int, default=1000
        Most passes over the rows and steps of conjugate gradients, or most Newton steps.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows in coordinate descent.
    n_jobs : int, optional
        Threads that train the machines of several classes, or share the work of one; the answer
        does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; one row for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    dual_coef_ : ndarray of shape (1, n_samples) or (n_classes, n_samples)
        Signed multipliers: ``coef_ = dual_coef_ @ X`` up to the tolerance.
    fit_report_ : FitReport
        Primal objective and the relative duality gap; sums and worst over the machines.
    n_iter_ : int
        Most passes or Newton steps of a machine.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A pass costs the stored entries, a Newton step :math:`O(np)` and the rows near the margin times
    :math:`p^2`. A non-linear machine is this one on an explicit feature map (svm.12), such as
    :class:`margin.kernels.PolynomialFeatures`.

    References
    ----------
    Hsieh et al., A dual coordinate descent method for large-scale linear SVM, 2008.
    Keerthi et al., A sequential dual method for large scale multi-class linear SVMs, 2008.

    Examples
    --------
    >>> from margin.svm import LinearSVC
    >>> model = LinearSVC(loss="hinge", C=10).fit([[1, 1], [-1, -1]], [1, -1])
    >>> model.coef_.round(6), model.predict([[2, 0]])
    (array([[0.5, 0.5]]), array([1]))
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"C": (1e-3, 1e3, "log"), "loss": ["squared_hinge", "hinge"]},
    )

    def __init__(
        self,
        *,
        C=1.0,
        loss="squared_hinge",
        dual="auto",
        multi_class="ovr",
        tol=1e-4,
        fit_intercept=True,
        intercept_scaling=1.0,
        class_weight=None,
        max_iter=1000,
        random_state=0,
        n_jobs=None,
    ):
        self.C = C
        self.loss = loss
        self.dual = dual
        self.multi_class = multi_class
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the machines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check_linear_params(self, ("squared_hinge", "hinge"))
        check.params(self, one_of={"multi_class": ("ovr", "crammer_singer")})
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        self.classes_, codes = check.classes(self, y)
        weight = row_weights(self, codes, weight)
        with progress.bar(type(self).__name__) as tick:
            if self.multi_class == "crammer_singer":
                n_classes = len(self.classes_)
                coef, intercept, beta, solution = solve_together(
                    self, X, codes, weight, n_classes, tick
                )
            else:
                coef, intercept, beta, solution = self._one_against_rest(X, codes, weight, tick)
        self.coef_, self.intercept_ = coef.astype(X.dtype), intercept.astype(X.dtype)
        self.dual_coef_ = beta
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def _one_against_rest(self, X, codes, weight, tick):
        positives = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        rng = random.generator(self.random_state)
        seeds = rng.integers(2**31, size=len(positives))
        available = threads.count(self.n_jobs)
        workers = min(available, len(positives))
        squared = self.loss == "squared_hinge"

        def train(job):
            positive, seed = job
            sign = np.where(codes == positive, 1.0, -1.0)
            problem = linear_dual(self, X, sign, weight, (sign < 0, sign > 0), squared)
            return solve_linear(self, problem, int(seed), tick, max(1, available // workers))

        jobs = list(zip(positives, seeds, strict=True))
        if workers > 1:
            with ThreadPoolExecutor(workers) as pool:
                found = list(pool.map(train, jobs))
        else:
            found = [train(job) for job in jobs]
        coef, intercept, solutions = map(list, zip(*found, strict=True))
        beta = np.array([s.extras["beta"] for s in solutions])
        whole = Solution.merge(solutions, parts="machines")
        return np.array(coef), np.array(intercept), beta, whole

    def decision_function(self, X):
        """Scores: of the second of two classes, or one per class."""
        return linear_scores(self, X)

    def predict(self, X):
        """Label of every row."""
        return best_label(self, self.decision_function(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
