"""Bagging for regression."""

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import column_or_1d

from margin.core import Card, available_if, check
from margin.core.types import Array, Floats, Matrix
from margin.distributions import Empirical
from margin.ensemble.bagging._bagged import Bagged
from margin.ensemble.bagging._member_trees import are_trees, mean_of_trees
from margin.search import TreeSum
from margin.tree import DecisionTreeRegressor


class BaggingRegressor(RegressorMixin, Bagged):
    r"""The mean of regressors, each trained on a draw of the rows.

    .. math:: f(x) = \frac1B \sum_b f_b(x)

    Its variance is :math:`\rho \sigma^2 + (1 - \rho) \sigma^2 / B` for members of variance
    :math:`\sigma^2` and correlation :math:`\rho` (tree.05, tree.06).

    Parameters
    ----------
    estimator : regressor, optional
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
    estimator_ : regressor
        What was copied.
    estimators_ : list of regressors
        The members.
    estimators_samples_ : list of ndarray
        Rows that each was trained on.
    estimators_features_ : list of ndarray
        Features that each was trained on.
    oob_score_ : float
        Coefficient of determination of the rows by members that have not seen them, with
        ``oob_score``.
    oob_prediction_ : ndarray of shape (n_samples,)
        Their predictions; NaN for a row that every member has seen.
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
    >>> from margin.ensemble import BaggingRegressor
    >>> X = np.arange(20.0)[:, None]
    >>> model = BaggingRegressor(n_estimators=50, oob_score=True, random_state=0)
    >>> bool(model.fit(X, 2 * X[:, 0]).oob_score_ > 0.95)
    True
    """

    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"max_samples": [0.5, 1.0], "max_features": [0.5, 1.0]},
        on_request=True,
    )

    nan_attributes = ("oob_prediction_",)

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
        return DecisionTreeRegressor()

    def _targets(self, y: Any) -> Any:
        try:
            numbers = np.asarray(y, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(self, "y", "numbers", y) from error
        one = numbers.ndim == 2 and numbers.shape[1] == 1
        return column_or_1d(numbers, warn=True) if one else numbers

    def _answering(self) -> dict[str, str]:
        return {"predict": "predict"}

    def predict(self, X: Matrix, **params: Any) -> Floats:
        """Mean of the members.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        **params : dict
            What metadata routing, where it is switched on, sends to the members.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        given = self._handed_on("predict", params)
        answers = self._ask(lambda model, rows: _answer(model, rows, **given), self._table(X))
        return np.asarray(np.mean(answers, axis=0))

    def member_dist(self, X: Matrix) -> Empirical:
        """Predictions of the members, equally weighted; not the noise of the targets.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        Empirical
            One distribution per row.
        """
        return Empirical(np.stack(self._ask(_answer, self._table(X)), axis=-1))

    @available_if(lambda self: are_trees(self.estimators_))
    def to_trees(self) -> TreeSum:
        """The model as a mean of trees, where its members are trees.

        Returns
        -------
        TreeSum
            Its sums are the predictions.
        """
        names = tuple(map(str, getattr(self, "feature_names_in_", ())))
        return mean_of_trees(
            self.estimators_, self.estimators_features_, self.n_features_in_, names
        )

    def _judge_out_of_bag(self, X: Any, y: Array) -> None:
        total, counts = np.zeros(y.shape), np.zeros(len(y))
        for model, rows, features in self._unseen(len(y)):
            if len(rows):
                total[rows] += _answer(model, X[rows][:, features])
                counts[rows] += 1
        self._warn_of_gaps(counts)
        shape = (-1,) + (1,) * (y.ndim - 1)
        with np.errstate(invalid="ignore"):
            self.oob_prediction_ = total / counts.reshape(shape)
        seen = counts > 0
        self.oob_score_ = float(r2_score(y[seen], self.oob_prediction_[seen]))


def _answer(model: Any, X: Any, **given: Any) -> Floats:
    return np.asarray(model.predict(X, **given), dtype=np.float64)
