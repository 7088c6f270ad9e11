"""One-vs-one classification."""

from itertools import combinations
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, check_is_fitted

from margin.core import Card, atomic, available_if, best_label, check
from margin.core.types import Array, Floats, Matrix, Places
from margin.multiclass._binary_classifiers import column_scores, fit_columns, signed_score
from margin.multiclass._binary_reduction import BinaryReduction
from margin.multiclass._code_matrices import Code, one_vs_one_code
from margin.multiclass._decoding import break_ties, disagreements, votes
from margin.multiclass._fit_parameters import routed
from margin.multiclass._handed_on import rows_of
from margin.multiclass._training_cost import TrainingCost


def _decides_by_votes(self: Any) -> bool:
    if self.decision == "votes":
        return True
    raise AttributeError(f"{type(self).__name__}: decision_function needs decision='votes'")


class OneVsOneClassifier(BinaryReduction):
    r"""One binary classifier per pair of classes (linear.49).

    Each of the :math:`C (C - 1) / 2` classifiers is trained on the rows of its two classes only:
    many classifiers, but small ones, which together read fewer rows than one-vs-rest.

    Parameters
    ----------
    estimator : classifier, optional
        Binary classifier, cloned for every pair; :class:`LogisticRegression` by default.
    decision : {"votes", "dag"}, default="votes"
        ``"votes"``: the class that wins most duels, ties by the sum of the decision values.
        ``"dag"``: the first and the last class still in the list meet, the loser leaves, until
        one is left; :math:`C - 1` evaluations per row (linear.50).
    n_jobs : int, optional
        Classifiers trained at a time, by threads; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Their number.
    estimators_ : list of classifiers
        One per pair; the second class of the pair is positive.
    pairs_ : ndarray of shape (n_estimators, 2)
        Positions in ``classes_`` of the two classes of each classifier.
    pairwise_indices_ : list of ndarray or None
        Training rows of each classifier where the kernel is precomputed.
    code_ : ndarray of shape (n_classes, n_estimators)
        The reduction as a coding matrix.
    training_cost_ : TrainingCost
        Number of classifiers and rows.
    fit_report_ : FitReport
        Worst status and certificate of the classifiers, sum of their objectives.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Both decisions agree wherever some class wins all its duels.

    References
    ----------
    Platt, Cristianini and Shawe-Taylor, Large margin DAGs for multiclass classification, 2000.

    Examples
    --------
    >>> from margin.multiclass import OneVsOneClassifier
    >>> X, y = [[0], [1], [4], [5], [9], [10]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OneVsOneClassifier(decision="dag").fit(X, y)
    >>> model.predict([[0.5], [4.5], [9.5]]), model.training_cost_.total_rows
    (array(['a', 'b', 'c'], dtype='<U1'), 12)
    """

    card = Card(tasks=("classification",), cost="linear", min_classes=3)

    def __init__(
        self,
        estimator: Any = None,
        *,
        decision: Literal["votes", "dag"] = "votes",
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.decision = decision
        self.n_jobs = n_jobs

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Train one classifier per pair of classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, handed to the classifiers.
        **fit_params : dict
            Handed to ``fit`` of the classifiers; what has an entry per row, for their rows.

        Returns
        -------
        self
        """
        check.params(self, one_of={"decision": ("votes", "dag")})
        given = routed(self, "fit", fit_params, sample_weight)
        examples = self._examples(X, y, given.pop("sample_weight", None), least=1)
        X, labels, codes, weight = examples
        if len(labels) < 2:
            raise ValueError(
                f"{type(self).__name__}: y must hold at least 2 classes: there is no pair when "
                f"only one class is present, got {labels.tolist()}"
            )

        code = self._fixed_code(len(labels))
        classifiers = fit_columns(self._base(), X, codes, weight, code, self.n_jobs, given)

        counts = np.bincount(codes)
        rest = TrainingCost.one_vs_rest(counts)
        self._rows_of_pairs = None
        if get_tags(self._base()).input_tags.pairwise:
            self._rows_of_pairs = [np.flatnonzero(column[codes]) for column in code.T]
        note = f"one-vs-rest would train {rest}"
        self._store(labels, code, TrainingCost.of(code, counts), classifiers, (note,))
        return self

    @available_if(_decides_by_votes)
    def decision_function(self, X: Matrix) -> Floats:
        """Duels won by each class, plus less than a quarter by the sum of the decision values.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes the decision value of the second.
        """
        scores = self._column_scores(X)
        if len(self.classes_) == 2:
            return scores[:, 0]
        won = len(self.classes_) - 1 - disagreements(scores, self.code_)
        return break_ties(won, scores @ self.code_.T.astype(scores.dtype))

    def predict(self, X: Matrix) -> Array:
        """Winner of each row, by votes or along the decision graph."""
        if self.decision == "dag":
            _, winner = self._walk(X)
            return np.asarray(self.classes_[winner])
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def decision_path(self, X: Matrix) -> Places:
        """Classifiers asked along the decision graph, in order (linear.50).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int, shape (n_samples, n_classes - 1)
            Positions in ``estimators_``.
        """
        path, _ = self._walk(X)
        return path

    @property
    def pairs_(self) -> Places:
        """Positions in ``classes_`` of the two classes of each classifier."""
        check_is_fitted(self)
        return np.array(list(combinations(range(len(self.classes_)), 2)))

    @property
    def pairwise_indices_(self) -> list[Places] | None:
        """Training rows of each classifier where the kernel is precomputed, else None."""
        check_is_fitted(self)
        return getattr(self, "_rows_of_pairs", None)

    _subset = "it must be subset of"

    def _fixed_code(self, n_classes: int) -> Code:
        # The second of a pair is positive, as it is where there are two classes only.
        return -one_vs_one_code(n_classes)

    def _column_scores(self, X: Matrix) -> Floats:
        X = self._table(X)
        rows = self.pairwise_indices_
        if rows is None:
            return column_scores(self.estimators_, X)
        pairs = zip(self.estimators_, rows, strict=True)
        return np.column_stack([signed_score(each, X[:, known]) for each, known in pairs])

    def _walk(self, X: Matrix) -> tuple[Places, Places]:
        """Path and winner of every row; each classifier sees only the rows that reach it."""
        X = self._table(X)
        n_classes, columns = len(self.classes_), self.pairwise_indices_
        number = {tuple(pair): k for k, pair in enumerate(self.pairs_.tolist())}
        n_rows = _num_samples(X)
        first = np.zeros(n_rows, dtype=int)
        path = np.empty((n_rows, n_classes - 1), dtype=int)
        for step in range(n_classes - 1):
            width = n_classes - 1 - step
            reached = first.copy()
            for i in np.unique(reached):
                rows = np.flatnonzero(reached == i)
                k = number[int(i), int(i) + width]
                reaching = rows_of(X, rows)
                if columns is not None:
                    reaching = reaching[:, columns[k]]
                score = signed_score(self.estimators_[k], reaching)
                path[rows, step] = k
                first[rows] += votes(score) > 0
        return path, first

    def _doubtful(self, X: Matrix) -> tuple[Array, Array]:
        """A class that loses a duel is in doubt."""
        lost = disagreements(self._column_scores(X), self.code_)
        return lost.argmin(axis=1), lost.min(axis=1) > 0
