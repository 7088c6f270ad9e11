"""Rosenblatt's perceptron."""

from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin import optim
from margin.core import (
    Card,
    FitReport,
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
from margin.linear._known_classes import class_factors, known_classes
from margin.linear.classification._separability import separability
from margin.linear.online import _perceptron_fit as engine

_VARIANTS = ("stochastic", "batch", "variable-increment")
_LARGEST_DIAGNOSIS = 200_000  # numbers in the constraints of a linear programme worth starting


class Perceptron(ClassifierMixin, BaseEstimator):
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
    the weights with the fewest training errors are kept.

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
        Share of training errors after every epoch; whether the classes are separable.
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
        variant="stochastic",
        average=False,
        eta0=1.0,
        schedule=None,
        fit_intercept=True,
        max_iter=1000,
        tol=1e-3,
        n_iter_no_change=5,
        shuffle=True,
        random_state=0,
        class_weight=None,
        warm_start=False,
    ):
        self.variant = variant
        self.average = average
        self.eta0 = eta0
        self.schedule = schedule
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        schedule = self._check_params()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        old = self._old_weights()
        self.classes_, codes = check.classes(self, y)
        examples = self._examples(X, codes, distinct_rows(X, codes, weight, 1))
        state = self._begin(examples, old if self.warm_start else None)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = self._learn(examples, state, schedule, self.max_iter, self.tol, tick)
        self.__dict__.pop("_corrections", None)
        notes = self._diagnosis(X, codes, examples, solution)
        if solution.status is Status.MAX_ITER and not solution.message:
            solution = replace(solution, message=self._too_short(solution, notes))
        self._store(X, solution)
        self.t_ = state.made
        self.fit_report_ = check.report(self, solution, notes=notes)
        return self

    @atomic
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One epoch over these rows, continuing from the weights of the last call.

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
        schedule = self._check_params()
        old, before = self._old_weights(), getattr(self, "n_iter_", 0)
        X, codes, weight = known_classes(self, X, y, classes, sample_weight)
        examples = self._examples(X, codes, stored_rows(codes, weight))
        state = self._begin(examples, old)
        self._continue(state)
        solution = self._learn(examples, state, schedule, 1, None, None)
        self._corrections = (state.w, state.total, state.made, state.visits, state.epochs)
        shown = replace(solution, x=state.weights, status=Status.CONVERGED, certificate=None)
        self._store(X, shown)
        self.t_, self.n_iter_ = state.made, before + 1
        self.fit_report_ = FitReport.of(self, shown)
        return self

    def _check_params(self):
        """The increments, if all parameters make sense."""
        check.params(
            self,
            positive="eta0",
            count="max_iter n_iter_no_change",
            flag="average fit_intercept shuffle warm_start",
            one_of={"variant": _VARIANTS},
        )
        if self.tol is not None:
            check.params(self, positive="tol")
        if self.schedule is not None and not isinstance(self.schedule, optim.Schedule):
            raise check.fail(self, "schedule", "a margin.optim.Schedule", self.schedule)
        if self.variant != "variable-increment":
            return optim.Constant(self.eta0)
        schedule = optim.InverseTime(self.eta0) if self.schedule is None else self.schedule
        if not optim.check_schedule(schedule).perceptron:
            raise check.fail(
                self,
                "schedule",
                "of steps that add up to infinity with none dominating",
                self.schedule,
            )
        return schedule

    def _examples(self, X, codes, table):
        factor = class_factors(self, codes)
        code = np.ascontiguousarray(codes, dtype=np.int64)
        return engine.Examples(X, code, table, bool(self.fit_intercept), factor)

    def _old_weights(self):
        if not hasattr(self, "coef_"):
            return None
        return np.column_stack([self.coef_, self.intercept_]).astype(np.float64)

    def _begin(self, examples, old):
        n_outputs = 1 if len(self.classes_) == 2 else len(self.classes_)
        shape = (len(examples.code), n_outputs, examples.X.shape[1] + 1)
        state = engine.Corrections.none(*shape, average=bool(self.average))
        if old is not None and old.shape == state.w.shape:
            state.w[:] = old
        return state

    def _continue(self, state):
        """Take up what an earlier ``partial_fit`` or ``fit`` left."""
        if hasattr(self, "_corrections"):
            w, total, state.made, state.visits, state.epochs = self._corrections
            state.w[:] = w
            if state.total is not None and total is not None:
                state.total[:] = total
        else:
            state.made = getattr(self, "t_", 0)

    def _learn(self, examples, state, schedule, max_iter, tol, callback):
        return engine.learn(
            examples,
            state,
            schedule,
            batch=self.variant == "batch",
            max_iter=max_iter,
            tol=tol,
            patience=self.n_iter_no_change,
            seed=int(generator(self.random_state).integers(2**31)),
            shuffle=bool(self.shuffle),
            callback=callback,
        )

    def _store(self, X, solution):
        self.coef_ = solution.x[:, :-1].astype(X.dtype)
        self.intercept_ = solution.x[:, -1].astype(X.dtype)
        self.dual_coef_ = solution.extras["dual"]
        self.mistakes_ = solution.extras["mistakes"]
        self.n_iter_ = solution.n_iter

    def _diagnosis(self, X, codes, examples, solution):
        """What is known about separability, where errors are left (linear.30)."""
        if solution.objective == 0:
            return ("the classes are linearly separable",)
        rows = examples.table.visits
        size = len(rows) * (X.shape[1] + 1) * (len(self.classes_) - 1)
        if size > _LARGEST_DIAGNOSIS or not self.fit_intercept:
            return ("whether the classes are linearly separable was not examined",)
        if len(np.unique(codes[rows])) < 2:
            return ()
        return (f"the classes are {separability(X[rows], codes[rows])}",)

    def _too_short(self, solution, notes):
        text = notes[0] if notes else ""
        advice = (
            "no number of epochs will end it"
            if "not linearly separable" in text
            else "raise max_iter"
        )
        return (
            f"stopped after max_iter={self.max_iter} epochs with "
            f"{100 * solution.objective:.3g} % of the rows wrong; {text}: {advice}"
        )

    def decision_function(self, X):
        """Scores: of the second class for two classes, one per class for more."""
        return linear_scores(self, X)

    def predict(self, X):
        """Label of the highest score."""
        return best_label(self, self.decision_function(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
