"""Primal stochastic subgradient steps for the hinge."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import (
    Card,
    DistinctRows,
    FitReport,
    Status,
    atomic,
    best_label,
    check,
    distinct_rows,
    linear_scores,
    progress,
    random,
    stored_rows,
)
from margin.core.types import Array, Floats
from margin.native.rows.row_order import row_keys
from margin.svm._row_weights import row_weights
from margin.svm.online._pegasos_fit import PegasosSearch, PegasosSettings
from margin.svm.online._row_visits import loss_shares, stream_order, visit_orders


class Pegasos(ClassifierMixin, BaseEstimator):
    r"""Linear machine by stochastic subgradients of falling length (svm.06, svm.10).

    Minimises :math:`\tfrac\lambda2 \|w\|^2 + \sum_i \tfrac{s_i}S \max(0, 1 - y_i x_i^\top w)` for
    weights :math:`s_i` of sum :math:`S`: the soft margin without bias for
    :math:`\lambda = 1 / (C S)`. Step :math:`t`, counted from :math:`t_0 + 1`, takes one row:

    .. math:: w \leftarrow \left(1 - \tfrac1t\right) w
        + \tfrac1{\lambda t} [\, y_i x_i^\top w < 1 \,]\, y_i x_i ,

    so that :math:`\lambda t\, w` is a sum of signed rows, and a step costs their stored entries.

    Parameters
    ----------
    alpha : float, default=1e-2
        Strength :math:`\lambda` of the penalty, above 0.
    fit_intercept : bool, default=True
        Whether to add a constant feature of value one, penalised like the others.
    projection : bool, default=False
        Whether :math:`w` is brought back into the ball of radius :math:`1/\sqrt\lambda`, which
        holds the minimum, after every step.
    average : bool, default=True
        Whether the answer may be a mean of iterates, the recent ones above all, where that is
        better than the last one.
    offset : float or "auto", default="auto"
        Where the count of steps begins, :math:`t_0`. 0 is the rule as printed, whose first steps
        overshoot by far when rows are long; ``"auto"`` is :math:`\max_i \|x_i\|^2 / \lambda`, so
        that no step is longer than the inverse of the largest squared length of a row.
    tol : float, default=0.05
        Duality gap, divided by the objective, that counts as converged.
    max_iter : int, default=1000
        Most epochs. An epoch makes as many visits as there are different rows, in random order
        and in proportion to their weights: each once where all weigh the same.
    n_iter_no_change : int, default=100
        The search is given up when the duality gap has fallen by less than a hundredth in so many
        epochs.
    random_state : int, Generator, RandomState or None, default=0
        Order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; one row for two classes, otherwise one per class against all others.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    fit_report_ : FitReport
        Lowest objective and smallest duality gap so far, after every epoch, and the relative gap
        at the end: the share of the objective by which it can be too high at most.
    t_ : int
        Steps made.
    n_iter_ : int
        Epochs made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A visit costs the stored entries of its row, once more for a correction. Equal rows are visited
    as one with the sum of their weights, so that neither their order nor their copies matter. No
    fit is called converged but by its duality gap; the lower bound comes from the corrections of
    recent epochs, improved by coordinate ascent, and for up to 20,000 stored numbers from the
    minimum itself. A stochastic search comes near the minimum soon and closer slowly, the more so
    for rows of very different scales: scale the features, or use :class:`LinearSVC`.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos: primal estimated sub-gradient solver for
    SVM, Mathematical Programming 2011.

    Examples
    --------
    >>> from margin.svm import Pegasos
    >>> Pegasos(alpha=0.1).fit([[0], [1], [2], [3]], [0, 0, 1, 1]).predict([[0], [3]])
    array([0, 1])
    """

    card = Card(tasks=("classification",), cost="linear", max_rows=100_000)

    def __init__(
        self,
        *,
        alpha: float = 1e-2,
        fit_intercept: bool = True,
        projection: bool = False,
        average: bool = True,
        offset: float | str = "auto",
        tol: float = 0.05,
        max_iter: int = 1000,
        n_iter_no_change: int = 100,
        random_state: Any = 0,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.projection = projection
        self.average = average
        self.offset = offset
        self.tol = tol
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make epochs of steps until the duality gap is small.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the losses; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        classes, codes = check.classes(self, y)

        name = type(self).__name__
        if weight is not None:
            weight = row_weights(name, classes, codes, weight)
        rows = distinct_rows(X, codes, weight, 1)
        settings = self._settings(self._first_count(X, rows))
        shares = loss_shares(rows, len(codes))
        search = PegasosSearch(X, codes, shares, len(classes), settings)
        orders = visit_orders(rows, int(random.generator(self.random_state).integers(2**62)))

        with progress.bar(name, self.max_iter) as tick:
            solution = search.run(
                orders,
                tol=float(self.tol),
                max_iter=self.max_iter,
                patience=self.n_iter_no_change,
                tick=tick,
            )

        self.classes_ = classes
        self._keep(X, search, solution.x)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    @atomic
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over these rows in their order, continuing from the last call.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All labels that will ever occur; those of ``y`` in the first call by default.
        sample_weight : array-like of shape (n_samples,), optional
            How often a row is visited, rounded so that the sum is right.

        Returns
        -------
        self
        """
        self._check_params()
        first = not hasattr(self, "_sums")
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C", reset=first
        )
        if first:
            self.classes_ = check.classes(self, y if classes is None else classes)[0]
            self._offset, self.t_, self.n_iter_ = self._first_count(X), 0, 0
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise check.fail(self, "y", f"of the classes {self.classes_.tolist()}", unknown[0])
        codes = np.searchsorted(self.classes_, y)
        shares = loss_shares(stored_rows(y, weight), len(y))
        settings = self._settings(self._offset)
        search = PegasosSearch(X, codes, shares, len(self.classes_), settings)
        if not first:
            search.resume(self._sums, self.t_)
        w = search.epoch(stream_order(len(y), weight))
        search.look(w)
        self._keep(X, search, w)
        self.n_iter_ += 1
        self.fit_report_ = FitReport(
            estimator=type(self).__name__,
            solver="Pegasos",
            status=Status.MAX_ITER,
            n_iter=self.n_iter_,
            objective=float(search.primal.sum()),
            message="one epoch over the rows of the last call, whose objective this is",
        )
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            positive="alpha tol",
            count="max_iter n_iter_no_change",
            flag="fit_intercept projection average",
        )
        if not (isinstance(self.offset, str) and self.offset == "auto"):
            check.params(self, nonnegative="offset")

    def _first_count(self, X: Any, rows: DistinctRows | None = None) -> float:
        """Where the count of steps begins; for ``"auto"`` it follows from the longest row."""
        if not isinstance(self.offset, str):
            return float(self.offset)
        squares = row_keys(X)[1] if rows is None or rows.squares is None else rows.squares
        squares = squares if rows is None else squares[rows.visits]
        return float(np.ceil((squares.max() + float(self.fit_intercept)) / self.alpha))

    def _settings(self, offset: float) -> PegasosSettings:
        return PegasosSettings(
            alpha=float(self.alpha),
            fit_intercept=bool(self.fit_intercept),
            projection=bool(self.projection),
            average=bool(self.average),
            offset=float(offset),
        )

    def _keep(self, X: Any, search: PegasosSearch, w: Floats) -> None:
        """Store the weights, and what another epoch begins from."""
        self._sums, self._offset, self.t_ = search.sums, search.offset, search.t
        self.coef_ = np.ascontiguousarray(w[:, :-1], dtype=X.dtype)
        self.intercept_ = (search.constant * w[:, -1]).astype(X.dtype)

    def decision_function(self, X: Any) -> Array:
        """Scores: of the second of two classes, or one per class."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Any) -> Array:
        """Label of every row."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
