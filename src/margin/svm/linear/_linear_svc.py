"""Linear support vector classification."""

from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin

from margin.core import (
    Card,
    SparseCoefficients,
    atomic,
    best_label,
    check,
    linear_scores,
    progress,
    random,
    threads,
)
from margin.core.types import Array
from margin.svm._row_weights import row_weights
from margin.svm.linear._linear_fit import solve_against_rest, solve_together
from margin.svm.linear._linear_machine import LinearMachine


class LinearSVC(ClassifierMixin, SparseCoefficients, LinearMachine):
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
    penalty : {"l2", "l1"}, default="l2"
        ``"l1"``: the sum of the sizes of the weights in place of half their squares, which makes
        many of them zero; with the squared hinge and without ``dual=True`` only, solved by
        :class:`~margin.optim.CoordinateDescent`. The weight :math:`b / c` counts among them.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        The loss above.
    C : float, default=1.0
        Price of a margin error, above 0.
    dual : {"auto", True, False}, default="auto"
        ``True``: coordinate descent on the dual (:class:`~margin.optim.DualDescent`). ``False``:
        Newton steps (:class:`~margin.optim.SemismoothNewton`), for both losses. ``"auto"``: the
        dual for sparse tables of more than 1500 columns, otherwise Newton. All reach the same
        minimum. An unpenalised intercept is always left to Newton.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        How more than two classes are told apart. ``"crammer_singer"`` has its own loss and solver
        (:class:`~margin.optim.MulticlassDescent`): ``penalty``,
        ``loss`` and ``dual`` do not matter.
    tol : float, default=1e-4
        Duality gap, divided by the objective, that counts as converged; for ``penalty="l1"`` the
        largest slope, divided by that at zero.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    intercept_scaling : float, default=1.0
        The intercept is the weight of a constant feature of this value, penalised like the others;
        ``numpy.inf`` leaves it unpenalised.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    verbose : int or bool, default=0
        Whether to print the fit report.
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
        Signed multipliers: ``coef_ = dual_coef_ @ X`` up to the tolerance. For ``penalty="l1"``
        the signed slopes of the losses.
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

    _losses: ClassVar[tuple[str, ...]] = ("squared_hinge", "hinge")
    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"C": (1e-3, 1e3, "log"), "loss": ["squared_hinge", "hinge"]},
    )

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        *,
        C: float = 1.0,
        dual: bool | str = "auto",
        multi_class: str = "ovr",
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        verbose: int = 0,
        max_iter: int = 1000,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.C = C
        self.dual = dual
        self.multi_class = multi_class
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        self._check_params()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        classes, codes = check.classes(self, y)

        name, n_classes = type(self).__name__, len(classes)
        weight = row_weights(name, classes, codes, weight, self.class_weight)
        settings = self._settings(squared=self.loss == "squared_hinge", sparse=self.penalty == "l1")
        rng = random.generator(self.random_state)

        with progress.bar(name) as tick:
            if self.multi_class == "crammer_singer":
                functions = solve_together(
                    settings, X, codes, weight, n_classes, rng=rng, tick=tick
                )
            else:
                n_threads = threads.count(self.n_jobs)
                functions = solve_against_rest(
                    settings, X, codes, weight, n_classes, rng=rng, tick=tick, n_threads=n_threads
                )

        self.classes_ = classes
        self.coef_ = functions.coef.astype(X.dtype)
        self.intercept_ = functions.intercept.astype(X.dtype)
        self.dual_coef_ = functions.beta
        self._keep_report(functions.solution)
        return self

    def _check_params(self) -> None:
        self._check_linear()
        check.params(
            self, one_of={"penalty": ("l2", "l1"), "multi_class": ("ovr", "crammer_singer")}
        )
        if self.penalty == "l1" and self.multi_class == "ovr":
            self._check_l1()
        free = self.fit_intercept and self.intercept_scaling == float("inf")
        if free and self.multi_class == "crammer_singer":
            need = 'finite with multi_class="crammer_singer", whose intercepts are penalised'
            raise check.fail(self, "intercept_scaling", need, self.intercept_scaling)

    def _check_l1(self) -> None:
        if self.loss == "hinge" or self.dual is True:
            raise ValueError(
                f"{type(self).__name__}: Unsupported set of arguments: penalty='l1' must be with "
                "loss='squared_hinge' and dual=False or 'auto', got "
                f"penalty='l1', loss={self.loss!r}, dual={self.dual}"
            )

    def decision_function(self, X: Any) -> Array:
        """Scores: of the second of two classes, or one per class."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Any) -> Array:
        """Label of every row."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)
