"""Rosenblatt's perceptron."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin

from margin import optim
from margin.core import (
    Card,
    DistinctRows,
    FitReport,
    Solution,
    SparseCoefficients,
    Status,
    atomic,
    best_label,
    check,
    distinct_rows,
    linear_scores,
    progress,
    stored_rows,
)
from margin.core.random import generator
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_labels import announced_labels, class_factors, label_codes
from margin.linear.online._corrections import Corrections, Examples, Rule
from margin.linear.online._perceptron_fit import learn, learn_once
from margin.linear.online._separability_notes import cut_short, separability_notes

_VARIANTS = ("stochastic", "batch", "variable-increment")


class Perceptron(ClassifierMixin, SparseCoefficients, BaseEstimator):
    r"""Perceptron: a correction wherever a row is not on its own side (linear.28, linear.29).

    With :math:`y_i = \pm 1`, a row is corrected when :math:`y_i (w^\top x_i + b) \le 0`:

    - ``"stochastic"``: one row after the other, :math:`w \leftarrow w + \eta\, y_i x_i`;
    - ``"variable-increment"``: the same with :math:`\eta_k` for the k-th correction;
    - ``"batch"``: all errors at once, :math:`w \leftarrow w + \eta \sum_{i \in E} y_i x_i`.

    More than two classes are encoded 1-of-K in one weight vector with a segment per class
    (linear.31): where the best rival scores no less than the own class, the row is added to the
    segment of its class and taken off that of the rival; equal rivals share it. On linearly
    separable data the search ends after finitely many corrections, at most :math:`(R/\gamma)^2` of
    them for rows of norm up to :math:`R` and margin :math:`\gamma`; otherwise it never settles, and
    the weights with the fewest training errors are kept (the pocket): of up to 100 rows those of
    all steps, of more those after every epoch and those that were right for longer than any before.

    Parameters
    ----------
    variant : {"stochastic", "batch", "variable-increment"}, default="stochastic"
        The rule above.
    average : bool, default=False
        Whether the answer is the mean of the weights over all visits.
    eta0 : float, default=1.0
        Size of the increments; from a start at zero it only scales the weights.
    schedule : Schedule, optional
        Increments of ``"variable-increment"``, :math:`1/k` by default; must satisfy the
        conditions of convergence (:func:`margin.optim.check_schedule`).
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, the weight of a constant feature.
    max_iter : int, default=1000
        Most epochs.
    tol : float or None, default=1e-3
        The search also ends when the share of errors has not fallen by more than this for
        ``n_iter_no_change`` epochs; ``None``: only when there is nothing left to correct.
    n_iter_no_change : int, default=5
        See ``tol``.
    shuffle : bool, default=True
        Whether every epoch has a random order of its own.
    verbose : int, default=0
        Without effect: progress of long fits is shown by :mod:`margin.core.progress`.
    n_jobs : int, optional
        Without effect: all classes are corrected in one pass over the rows.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders; ``None`` for another one every time.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with the weights of the rows.
    warm_start : bool, default=False
        Whether to start from the weights of the last fit.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; one row for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    mistakes_ : ndarray of shape (n_samples,)
        Corrections made at each row, up to the weights that were kept.
    dual_coef_ : ndarray of shape (n_samples, 1) or (n_samples, n_classes)
        Sum of the signed increments at each row: ``coef_ = dual_coef_.T @ X`` from a start at
        zero, so that a kernel can take the place of the scalar product.
    fit_report_ : FitReport
        Share of wrong predictions of the training rows after every epoch, and last that of the
        weights kept; whether the classes are separable.
    n_iter_ : int
        Epochs made; all of those of ``partial_fit``.
    t_ : int
        Corrections made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Of rows that occur several times one is visited, with their weights added up. The increment of
    a row is multiplied by its weight.

    Examples
    --------
    >>> from margin.linear import Perceptron
    >>> X, both = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = Perceptron(tol=None).fit(X, both)
    >>> model.predict(X), model.fit_report_.objective
    (array([0, 0, 0, 1]), 0.0)
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"variant": list(_VARIANTS), "average": [False, True]},
    )

    def __init__(
        self,
        *,
        variant: Literal["stochastic", "batch", "variable-increment"] = "stochastic",
        average: bool = False,
        eta0: float = 1.0,
        schedule: optim.Schedule | None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        verbose: int = 0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.variant = variant
        self.average = average
        self.eta0 = eta0
        self.schedule = schedule
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Correct until nothing is wrong, or no longer less.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        rule = self._rule()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        labels, codes = check.classes(self, y)
        examples = self._examples(X, labels, codes, distinct_rows(X, codes, weight, 1))
        start = self._start(examples, len(labels), warm=self.warm_start)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = learn(
                examples,
                start,
                rule,
                max_iter=self.max_iter,
                tol=self.tol,
                patience=self.n_iter_no_change,
                callback=tick,
            )
        notes = separability_notes(examples, solution, len(labels))
        if solution.status is Status.MAX_ITER and not solution.interrupted:
            text = cut_short(solution.objective, self.max_iter, notes)
            solution = replace(solution, message=text)
        self.classes_ = labels
        self.__dict__.pop("_corrections", None)
        self._store(X, solution)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, notes=notes)
        return self

    @atomic
    def partial_fit(
        self,
        X: Matrix,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One epoch over these rows, continuing from the weights of the last call (adaptation.08).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All labels that will ever occur; asked for in the first call only.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        rule = self._rule()
        first = not hasattr(self, "coef_")
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C", reset=first
        )
        labels = announced_labels(self, None if first else self.classes_, classes)
        codes = label_codes(self, labels, y)
        examples = self._examples(X, labels, codes, stored_rows(codes, weight))
        start = self._start(examples, len(labels), warm=True)
        last: Corrections | None = getattr(self, "_corrections", None)
        if last is not None:
            start = start.resumed(last)
        else:
            start = replace(start, n_corrections=getattr(self, "t_", 0))
        solution = learn_once(examples, start, rule)
        self.classes_ = labels
        self._corrections = solution.extras["state"]
        self._store(X, solution)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        self.fit_report_ = FitReport.of(self, solution)
        return self

    def _rule(self) -> Rule:
        """How rows are corrected, if all parameters make sense."""
        check.params(
            self,
            positive="eta0",
            nonnegative="verbose",
            count="max_iter n_iter_no_change",
            flag="average fit_intercept shuffle warm_start",
            one_of={"variant": _VARIANTS},
        )
        if self.tol is not None:
            check.params(self, positive="tol")
        if self.schedule is not None and not isinstance(self.schedule, optim.Schedule):
            raise check.fail(self, "schedule", "a margin.optim.Schedule", self.schedule)
        schedule: optim.Schedule = optim.Constant(self.eta0)
        if self.variant == "variable-increment":
            schedule = optim.InverseTime(self.eta0) if self.schedule is None else self.schedule
            if not optim.check_schedule(schedule).perceptron:
                need = "of steps that add up to infinity with none dominating"
                raise check.fail(self, "schedule", need, self.schedule)
        seed = int(generator(self.random_state).integers(2**31))
        return Rule(schedule, self.variant == "batch", bool(self.shuffle), seed)

    def _examples(self, X: Any, labels: Array, codes: Places, table: DistinctRows) -> Examples:
        factor = class_factors(self.class_weight, labels, codes)
        code = np.ascontiguousarray(codes, dtype=np.int64)
        return Examples(X, code, table, bool(self.fit_intercept), factor)

    def _start(self, examples: Examples, n_classes: int, *, warm: bool) -> Corrections:
        """No correction yet, at zero or at the weights of an earlier fit."""
        n_outputs = 1 if n_classes == 2 else n_classes
        shape = (len(examples.code), n_outputs, examples.X.shape[1] + 1)
        start = Corrections.none(*shape, average=bool(self.average))
        if not warm or not hasattr(self, "coef_"):
            return start
        coef = self.coef_.toarray() if issparse(self.coef_) else self.coef_
        old: Floats = np.column_stack([coef, self.intercept_]).astype(np.float64)
        return replace(start, w=old) if old.shape == start.w.shape else start

    def _store(self, X: Any, solution: Solution) -> None:
        self.coef_ = solution.x[:, :-1].astype(X.dtype)
        self.intercept_ = solution.x[:, -1].astype(X.dtype)
        self.dual_coef_ = solution.extras["dual"]
        self.mistakes_ = solution.extras["mistakes"]
        self.t_ = solution.extras["state"].n_corrections

    def decision_function(self, X: Matrix) -> Array:
        """Scores: of the second class for two classes, one per class for more."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Matrix) -> Array:
        """Label of the highest score."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
