"""The vote of different classifiers."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import ensemble
from sklearn.utils.validation import check_is_fitted

from margin.core import atomic
from margin.core.types import Matrix
from margin.ensemble.combining._evidence import gathered
from margin.ensemble.combining._features import SeenFeatures
from margin.ensemble.combining._member_weights import check_member_weights
from margin.ensemble.combining._plain_members import PlainMembers, plain_codes

_BLOCK = 1 << 18  # counts of votes held at a time


class VotingClassifier(SeenFeatures, ensemble.VotingClassifier):
    r"""The vote of different classifiers, or the mean of their probabilities.

    Scikit-learn's, with the evidence of all members in one report, and a failed fit that changes
    nothing.

    Parameters
    ----------
    estimators : list of (str, classifier)
        Members with their names; ``"drop"`` in the place of a classifier leaves it out.
    voting : {"hard", "soft"}, default="hard"
        Most votes, or highest mean probability.
    weights : array-like of shape (n_classifiers,), optional
        Weights of the members.
    n_jobs : int, optional
        Members trained at a time.
    flatten_transform : bool, default=True
        Shape of ``transform`` with probabilities: one row per sample, or one table per member.
    verbose : bool, default=False
        Whether to print the time of each fit.

    Attributes
    ----------
    estimators_ : list of classifiers
        The members.
    named_estimators_ : Bunch
        The same by name.
    le_ : LabelEncoder
        Codes of the classes, as the members see them.
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    fit_report_ : FitReport
        Worst status of the members.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Examples
    --------
    >>> from margin.ensemble import VotingClassifier
    >>> from margin.linear import GaussianNB, LogisticRegression
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1]
    >>> members = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]
    >>> model = VotingClassifier(members, voting="soft").fit(X, y)
    >>> model.predict([[0.5], [4.5]]), model.fit_report_.status.value
    (array([0, 1]), 'converged')
    """

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, **fit_params: Any) -> Self:
        """Train the members.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        **fit_params : dict
            ``sample_weight`` for all members, or what metadata routing sends them.

        Returns
        -------
        self
        """
        check_member_weights(self)
        if not self._fit_plainly(X, y, fit_params):
            super().fit(X, y, **fit_params)
        kept = {k: m for k, m in self.named_estimators_.items() if m != "drop"}
        self.fit_report_ = gathered(type(self).__name__, kept)
        return self

    def _fit_plainly(self, X: Any, y: Any, fit_params: dict[str, Any]) -> bool:
        """Fit in the short way, if nothing is out of the ordinary."""
        flags = self.voting in ("hard", "soft") and type(self.flatten_transform) is bool
        members = PlainMembers.of(self, X, y, fit_params, ("classifier",))
        coded = None if members is None or not flags or self.weights is not None else plain_codes(y)
        if members is None or coded is None:
            return False
        self.le_, codes = coded
        self.classes_ = self.le_.classes_
        self.estimators_ = members.fitted(X, codes)
        self.named_estimators_ = members.named(self.estimators_)
        return True

    def predict(self, X: Matrix) -> NDArray[Any]:
        """Class of each row: most votes, the first of equals, or highest mean probability.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        if self.voting == "soft":
            codes = np.argmax(self.predict_proba(X), axis=1)
        else:
            votes = [np.asarray(member.predict(X)) for member in self.estimators_]
            codes = most_votes(votes, self._weights_not_none, len(self.classes_))
        return np.asarray(self.classes_[codes])


def most_votes(votes: list[NDArray[Any]], weights: Any, n_classes: int) -> NDArray[np.intp]:
    """Class with the largest weight of votes for each row, the first of equals.

    Examples
    --------
    >>> most_votes([np.array([0, 2]), np.array([1, 2]), np.array([1, 0])], [3, 1, 1], 3)
    array([0, 2])
    """
    n = len(votes[0])
    winners = np.empty(n, dtype=np.intp)
    step = max(1, _BLOCK // n_classes)
    for first in range(0, n, step):
        size = min(step, n - first)
        places = np.arange(size) * n_classes
        counts = np.zeros(size * n_classes)
        for k, codes in enumerate(votes):
            # A member has one vote per row, so that no place is asked for twice.
            counts[places + codes[first : first + size]] += 1.0 if weights is None else weights[k]
        winners[first : first + size] = counts.reshape(size, n_classes).argmax(axis=1)
    return winners
