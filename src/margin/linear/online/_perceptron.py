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
    threads,
)
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_labels import announced_labels, class_factors, label_codes
from margin.linear.online._binary_problems import BinaryProblems
from margin.linear.online._corrections import Corrections, Examples, Rule
from margin.linear.online._given_start import drawn_seed, given_start
from margin.linear.online._holdout import Part, check_some_weight, holdout
from margin.linear.online._penalised_fit import penalised_weights
from margin.linear.online._perceptron_fit import learn, learn_once
from margin.linear.online._separability_notes import cut_short, separability_notes
from margin.linear.online._sgd_settings import PENALTIES, Settings

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

    With a ``penalty`` the weights also shrink at every visit, so that corrections never end: the
    rule is then stochastic descent on the perceptron loss :math:`\max(0, -y_i (w^\top x_i + b))`
    plus :math:`\alpha J(w)` with steps ``eta0``, one class against the rest, and the answer the
    lowest point seen, as by :class:`SGDClassifier`.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet", None}, default=None
        :math:`J(w) = \tfrac12\|w\|^2`, :math:`\|w\|_1` or a mixture; for ``"stochastic"`` only.
    alpha : float, default=0.0001
        Strength of the penalty, at least 0.
    l1_ratio : float, default=0.15
        Share of the absolute penalty in ``"elasticnet"``.
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
        Threads of a fit with a penalty; without one all classes are corrected in one pass over the
        rows, by one thread.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders; ``None`` for another one every time.
    early_stopping : bool, default=False
        Whether to count the errors on rows that are set aside, in place of the training errors.
    validation_fraction : float, default=0.1
        Share of rows set aside for early stopping.
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
        Corrections made at each row, up to the weights that were kept; not with a penalty.
    dual_coef_ : ndarray of shape (n_samples, 1) or (n_samples, n_classes)
        Sum of the signed increments at each row: ``coef_ = dual_coef_.T @ X`` from a start at
        zero, so that a kernel can take the place of the scalar product; not with a penalty.
    fit_report_ : FitReport
        Share of wrong predictions of the training rows after every epoch, and last that of the
        weights kept; whether the classes are separable.
    n_iter_ : int
        Epochs made; all of those of ``partial_fit``.
    t_ : int
        Corrections made; with a penalty, steps.
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
        penalty: Literal["l2", "l1", "elasticnet"] | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
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
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
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
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.warm_start = warm_start

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Correct until nothing is wrong, or no longer less.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        coef_init : array-like of shape (n_features,) or (n_classes, n_features), optional
            Weights to start from.
        intercept_init : array-like of shape (1,) or (n_classes,), optional
            Intercepts to start from.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        rule = self._rule()
        if self.early_stopping:
            check_some_weight(self, sample_weight)
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        labels, codes = check.classes(self, y)
        given = given_start(self, coef_init, intercept_init, _outputs(labels), X.shape[1])
        rows, kept = Part(X, codes, weight), None
        if self.early_stopping:
            share, state = float(self.validation_fraction), self.random_state
            rows, kept = holdout(self, rows, share=share, random_state=state, stratify=True)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            if self.penalty is not None:
                self._fit_penalised(rows, kept, labels, given, rule.seed, tick)
            else:
                self._fit_corrections(rows, kept, labels, given, rule, tick)
        return self

    def _fit_corrections(
        self, rows: Part, kept: Part | None, labels: Array, given: Any, rule: Rule, tick: Callback
    ) -> None:
        """Correct the rows; errors on those that were kept count, where there are any."""
        table = distinct_rows(rows.X, rows.y, rows.weight, 1)
        examples = self._examples(rows.X, labels, rows.y, table)
        judge = None
        if kept is not None:
            judge = self._examples(kept.X, labels, kept.y, stored_rows(kept.y, kept.weight))
        solution = learn(
            examples,
            self._start(examples, len(labels), given, warm=self.warm_start),
            rule,
            max_iter=self.max_iter,
            tol=self.tol,
            patience=self.n_iter_no_change,
            judge=judge,
            callback=tick,
        )
        notes = separability_notes(examples, solution, len(labels)) if judge is None else ()
        if solution.status is Status.MAX_ITER and not solution.interrupted:
            text = cut_short(solution.objective, self.max_iter, notes)
            solution = replace(solution, message=text)
        self.classes_ = labels
        self.__dict__.pop("_corrections", None)
        self._store(rows.X, solution)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, notes=notes)

    def _fit_penalised(
        self,
        rows: Part,
        kept: Part | None,
        labels: Array,
        given: Any,
        seed: int,
        tick: Callback | None,
        last: Any = None,
    ) -> None:
        """Stochastic descent with shrinking weights, one class against the rest."""
        whole = tick is not None
        problems = BinaryProblems(
            self._penalised_settings(), labels, self.class_weight, whole=whole
        )
        epochs, tol = (self.max_iter, self.tol) if whole else (1, None)
        start = given or self._old_weights(self.warm_start or not whole)
        fit = penalised_weights(
            problems, rows, kept, start, last, seed=seed, max_iter=epochs, tol=tol, callback=tick
        )
        for name in ("_corrections", "dual_coef_", "mistakes_", "_progress"):
            self.__dict__.pop(name, None)
        self.classes_ = labels
        self.coef_, self.intercept_ = fit.coef, fit.intercept
        self.t_ = max(at.taken for at in fit.progress)
        self.n_iter_ = max(at.epochs for at in fit.progress)
        if not whole:
            self._progress = fit.progress
        self.fit_report_ = check.report(self, fit.solution, notes=fit.notes)

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
        if self.early_stopping:
            need = "False for partial_fit (early_stopping should be False with partial_fit)"
            raise check.fail(self, "early_stopping", need, True)
        first = not hasattr(self, "coef_")
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C", reset=first
        )
        labels = announced_labels(self, None if first else self.classes_, classes)
        codes = label_codes(self, labels, y)
        if self.penalty is not None:
            last = self.__dict__.get("_progress")
            self._fit_penalised(Part(X, codes, weight), None, labels, None, rule.seed, None, last)
            return self
        examples = self._examples(X, labels, codes, stored_rows(codes, weight))
        start = self._start(examples, len(labels), None, warm=True)
        corrections: Corrections | None = getattr(self, "_corrections", None)
        if corrections is not None:
            start = start.resumed(corrections)
        else:
            start = replace(start, n_corrections=getattr(self, "t_", 0))
        solution = learn_once(examples, start, rule)
        self.classes_ = labels
        self._corrections = solution.extras["state"]
        self._store(X, solution)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        self.fit_report_ = FitReport.of(self, solution)
        return self

    def _penalised_settings(self) -> Settings:
        return Settings(
            loss="perceptron",
            epsilon=0.0,
            penalty=self.penalty,
            alpha=self.alpha,
            l1_ratio=self.l1_ratio,
            fit_intercept=self.fit_intercept,
            learning_rate="constant",
            eta0=self.eta0,
            power_t=0.0,
            average=self.average,
            shuffle=self.shuffle,
            n_iter_no_change=self.n_iter_no_change,
            n_threads=threads.count(self.n_jobs),
        )

    def _rule(self) -> Rule:
        """How rows are corrected, if all parameters make sense."""
        check.params(
            self,
            positive="eta0",
            nonnegative="alpha" if self.tol is None else "alpha tol",
            fraction="l1_ratio validation_fraction",
            count="max_iter n_iter_no_change",
            flag="average fit_intercept shuffle warm_start early_stopping",
            one_of={"variant": _VARIANTS, "penalty": PENALTIES},
        )
        if self.penalty is not None and self.variant != "stochastic":
            raise check.fail(self, "variant", "'stochastic' with a penalty", self.variant)
        if self.schedule is not None and not isinstance(self.schedule, optim.Schedule):
            raise check.fail(self, "schedule", "a margin.optim.Schedule", self.schedule)
        schedule: optim.Schedule = optim.Constant(self.eta0)
        if self.variant == "variable-increment":
            schedule = optim.InverseTime(self.eta0) if self.schedule is None else self.schedule
            if not optim.check_schedule(schedule).perceptron:
                need = "of steps that add up to infinity with none dominating"
                raise check.fail(self, "schedule", need, self.schedule)
        seed = drawn_seed(self.random_state)
        return Rule(schedule, self.variant == "batch", bool(self.shuffle), seed)

    def _examples(self, X: Any, labels: Array, codes: Places, table: DistinctRows) -> Examples:
        factor = class_factors(self.class_weight, labels, codes)
        code = np.ascontiguousarray(codes, dtype=np.int64)
        return Examples(X, code, table, bool(self.fit_intercept), factor)

    def _start(self, examples: Examples, n_classes: int, given: Any, *, warm: bool) -> Corrections:
        """No correction yet, at zero, at what is given or at the weights of an earlier fit."""
        n_outputs = 1 if n_classes == 2 else n_classes
        shape = (len(examples.code), n_outputs, examples.X.shape[1] + 1)
        start = Corrections.none(*shape, average=bool(self.average))
        coef, intercept = given or self._old_weights(warm)
        if coef is None:
            return start
        old: Floats = np.column_stack([coef, intercept]).astype(np.float64)
        if not self.fit_intercept:
            old[:, -1] = 0.0
        return replace(start, w=old) if old.shape == start.w.shape else start

    def _old_weights(self, wanted: bool) -> tuple[Any, Any]:
        """Weights and intercepts of an earlier fit, if there is one and it is wanted."""
        if not wanted or not hasattr(self, "coef_"):
            return None, None
        return self.coef_.toarray() if issparse(self.coef_) else self.coef_, self.intercept_

    def _store(self, X: Any, solution: Solution) -> None:
        self.__dict__.pop("_progress", None)
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


def _outputs(labels: Array) -> int:
    return 1 if len(labels) == 2 else len(labels)
