"""Bagging for classification."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import column_or_1d

from margin.core import Card, available_if, check
from margin.core.types import Array, Floats, Matrix
from margin.ensemble.bagging._bagged import Bagged
from margin.ensemble.bagging._member_trees import are_trees, mean_of_trees
from margin.search import TreeSum
from margin.tree import DecisionTreeClassifier

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _members_decide(self: Any) -> bool:
    return hasattr(self._base(), "decision_function")


class BaggingClassifier(ClassifierMixin, Bagged):
    r"""The mean of the probabilities of classifiers, each trained on a draw of the rows.

    .. math:: p(k \mid x) = \frac1B \sum_b p_b(k \mid x)

    Members without probabilities vote. The mean has the bias of a single member and less variance,
    the less the members agree (tree.05, tree.06).

    Parameters
    ----------
    estimator : classifier, optional
        Model of which every member is a copy; a full tree by default.
    n_estimators : int, default=10
        Number of members.
    max_samples : int, float or None, default=None
        Rows of a draw: their number, a share of all rows (of their weight, where rows have
        weights), or as many as there are.
    max_features : int or float, default=1.0
        Features of a member: their number, or a share of all.
    bootstrap : bool, default=True
        Whether a row may be drawn more than once.
    bootstrap_features : bool, default=False
        Whether a feature may be drawn more than once.
    oob_score : bool, default=False
        Whether to predict each row by the members that have not seen it. Of many bootstrap draws
        a row is missing in a share of :math:`1/e`.
    warm_start : bool, default=False
        Whether a new ``fit`` adds members to those there are.
    n_jobs : int, optional
        Members trained or asked at a time, by threads; the answer does not depend on it.
    random_state : int, Generator, RandomState or None, default=0
        Draws and seeds of the members.
    verbose : int, default=0
        Passed to joblib.

    Attributes
    ----------
    estimator_ : classifier
        What was copied.
    estimators_ : list of classifiers
        The members.
    estimators_samples_ : list of ndarray
        Rows that each was trained on.
    estimators_features_ : list of ndarray
        Features that each was trained on.
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Their number.
    oob_score_ : float
        Accuracy of the rows by members that have not seen them, with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Their probabilities; NaN for a row that every member has seen.
    fit_report_ : FitReport
        Number of members and draws; nothing is minimised together, its objective is 0.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    Breiman (1996), Machine Learning 24.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.ensemble import BaggingClassifier
    >>> X = np.arange(20.0)[:, None]
    >>> model = BaggingClassifier(random_state=0).fit(X, X[:, 0] > 9.5)
    >>> model.predict([[2.0], [15.0]])
    array([False,  True])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"max_samples": [0.5, 1.0], "max_features": [0.5, 1.0]},
        on_request=True,
    )

    nan_attributes = ("oob_decision_function_",)

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: Any = None,
        max_features: Any = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _default(self) -> Any:
        return DecisionTreeClassifier()

    def _targets(self, y: Any) -> Array:
        self.classes_, codes = check.classes(self, column_or_1d(y, warn=True), least=1)
        self.n_classes_ = len(self.classes_)
        return codes

    def _answering(self) -> dict[str, str]:
        callee = "predict_proba" if hasattr(self._base(), "predict_proba") else "predict"
        asked = dict.fromkeys(("predict", "predict_proba", "predict_log_proba"), callee)
        return {**asked, "decision_function": "decision_function"}

    def _shares(self, model: Any, X: Any, given: Mapping[str, Any] = _NOTHING) -> Floats:
        """Probabilities of all classes by one member, or its vote; it may know fewer classes."""
        shares = np.zeros((X.shape[0], self.n_classes_))
        if hasattr(model, "predict_proba"):
            shares[:, np.asarray(model.classes_)] = model.predict_proba(X, **given)
        else:
            shares[np.arange(X.shape[0]), np.asarray(model.predict(X, **given))] = 1.0
        return shares

    def _mean_shares(self, X: Matrix, given: Mapping[str, Any]) -> Floats:
        answers = self._ask(lambda model, rows: self._shares(model, rows, given), self._table(X))
        return np.asarray(np.mean(answers, axis=0))

    def predict_proba(self, X: Matrix, **params: Any) -> Floats:
        """Mean of the members' probabilities, or shares of their votes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        **params : dict
            What metadata routing, where it is switched on, sends to the members.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self._mean_shares(X, self._handed_on("predict_proba", params))

    def predict_log_proba(self, X: Matrix, **params: Any) -> Floats:
        """Logarithms of the probabilities; parameters as of :meth:`predict_proba`."""
        shares = self._mean_shares(X, self._handed_on("predict_log_proba", params))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(shares))

    def predict(self, X: Matrix, **params: Any) -> Array:
        """Most probable class; parameters as of :meth:`predict_proba`."""
        best = self._mean_shares(X, self._handed_on("predict", params)).argmax(axis=1)
        return np.asarray(self.classes_[best])

    @available_if(_members_decide)
    def decision_function(self, X: Matrix, **params: Any) -> Floats:
        """Mean of the members' decision values; parameters as of :meth:`predict_proba`."""
        given = self._handed_on("decision_function", params)
        answers = self._ask(
            lambda model, table: model.decision_function(table, **given), self._table(X)
        )
        return np.asarray(np.mean(answers, axis=0))

    @available_if(lambda self: are_trees(self.estimators_))
    def to_trees(self) -> TreeSum:
        """The model as a mean of trees, where its members are trees.

        Returns
        -------
        TreeSum
            Its sums are the probabilities.
        """
        names = tuple(map(str, getattr(self, "feature_names_in_", ())))
        return mean_of_trees(
            self.estimators_, self.estimators_features_, self.n_features_in_, names, self.n_classes_
        )

    def _judge_out_of_bag(self, X: Any, y: Array) -> None:
        total, counts = np.zeros((len(y), self.n_classes_)), np.zeros(len(y))
        for model, rows, features in self._unseen(len(y)):
            if len(rows):
                total[rows] += self._shares(model, X[rows][:, features])
                counts[rows] += 1
        self._warn_of_gaps(counts)
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = total / total.sum(axis=1, keepdims=True)
        self.oob_score_ = float(accuracy_score(y, total.argmax(axis=1)))
