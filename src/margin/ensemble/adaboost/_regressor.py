"""AdaBoost for regression."""

from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Stop, atomic, check, iterate, progress, random
from margin.core.types import Floats, Matrix, Places
from margin.distributions import Empirical
from margin.ensemble.adaboost._importance import mean_importance
from margin.ensemble.adaboost._residual_rounds import residual_rounds, weighted_median
from margin.ensemble.adaboost._round import Round, with_mean_weight
from margin.ensemble.members._member_data import member_data, member_table
from margin.ensemble.members._members import base_model, fit_weighted, seeded
from margin.tree import DecisionTreeRegressor


class AdaBoostRegressor(RegressorMixin, BaseEstimator):
    r"""AdaBoost.R2: the weighted median of regressors, each trained on the large residuals.

    The residuals of a learner, in units of the largest, give losses :math:`l_i` between 0 and 1
    with the weighted mean :math:`\bar l`. With :math:`\beta = \bar l / (1 - \bar l)` the learner
    gets the vote :math:`-\eta \log \beta`, and row :math:`i` keeps :math:`\beta^{\eta (1 - l_i)}`
    of its weight (tree.12).

    Parameters
    ----------
    estimator : regressor, optional
        Weak learner, cloned in every round; a tree of depth three by default. One that takes no
        ``sample_weight`` is trained on rows drawn by weight.
    n_estimators : int, default=50
        Most rounds. Boosting ends earlier with a learner that makes no error, or when the mean
        loss reaches one half.
    learning_rate : float, default=1.0
        Factor :math:`\eta` of the votes.
    loss : {"linear", "square", "exponential"}, default="linear"
        Loss of a residual.
    random_state : int, Generator, RandomState or None, default=0
        Seeds of the learners and draws of rows.

    Attributes
    ----------
    estimator_ : regressor
        What was cloned.
    estimators_ : list of regressors
        One per round.
    estimator_weights_ : ndarray of shape (n_rounds,)
        Their votes.
    estimator_errors_ : ndarray of shape (n_rounds,)
        Their weighted mean losses.
    row_weights_ : ndarray of shape (n_samples,)
        Mean weights of the rows over the rounds; high for rows that are hard to get right.
    fit_report_ : FitReport
        Mean loss and vote per round; the objective is the weight left to all rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    Drucker (1997), ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.ensemble import AdaBoostRegressor
    >>> X = np.linspace(0.0, 6.0, 40)[:, None]
    >>> model = AdaBoostRegressor(n_estimators=10).fit(X, np.sin(X[:, 0]))
    >>> bool(model.score(X, np.sin(X[:, 0])) > 0.9)
    True
    """

    card = Card(
        tasks=("regression",),
        cost="linear",
        search_space={"n_estimators": [50, 200], "learning_rate": (0.1, 1.0, "log")},
    )

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: Literal["linear", "square", "exponential"] = "linear",
        random_state: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights that the first round starts from.

        Returns
        -------
        self
        """
        check.params(
            self,
            count="n_estimators",
            positive="learning_rate",
            one_of={"loss": ("linear", "square", "exponential")},
        )
        base = self._base()
        missing = get_tags(base).input_tags.allow_nan
        X, y, weight = member_data(self, X, y, sample_weight, target="numeric", missing=missing)
        rng = random.generator(self.random_state)

        start = np.ones(len(y)) if weight is None else weight
        # Learners with a penalty see as much weight as there is data.
        total = start.sum()

        def train(weight: Floats) -> Any:
            return fit_weighted(seeded(base, rng), X, y, weight * total, rng)

        def answer(learner: Any) -> Floats:
            return np.asarray(learner.predict(X), dtype=np.float64)

        stop = Stop(
            "weight left",
            None,
            self.n_estimators,
            unit="round",
            keep="last",
            columns=("error", "vote"),
        )
        with progress.bar("AdaBoost", self.n_estimators) as callback:
            solution = iterate(
                with_mean_weight(
                    residual_rounds(train, answer, y, start, self.learning_rate, self.loss)
                ),
                stop,
                solver="AdaBoost.R2",
                callback=callback,
            )
        rounds: tuple[Round, ...] = solution.x

        self.estimator_ = base
        self.estimators_ = [each.learner for each in rounds]
        self.estimator_weights_ = np.array([each.vote for each in rounds])
        self.estimator_errors_ = np.array([each.error for each in rounds])
        self.row_weights_ = solution.extras["weight"]
        self.fit_report_ = check.report(self, solution)
        return self

    def _base(self) -> Any:
        return base_model(self, self.estimator, DecisionTreeRegressor(max_depth=3))

    def _answers(self, X: Matrix) -> Floats:
        """Predictions of every learner, one column each."""
        X = member_table(self, X, missing=get_tags(self._base()).input_tags.allow_nan)
        return np.column_stack([learner.predict(X) for learner in self.estimators_])

    def predict(self, X: Matrix) -> Floats:
        """Weighted median of the learners."""
        return weighted_median(self._answers(X), self.estimator_weights_)

    def staged_predict(self, X: Matrix) -> Iterator[Floats]:
        """Predictions after every round."""
        answers = self._answers(X)
        for n in range(1, answers.shape[1] + 1):
            yield weighted_median(answers[:, :n], self.estimator_weights_[:n])

    def member_dist(self, X: Matrix) -> Empirical:
        """Predictions of the learners, weighted by their votes; not the noise of the targets.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        Empirical
            One distribution per row.
        """
        return Empirical(self._answers(X), self.estimator_weights_)

    def staged_score(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[float]:
        """Coefficient of determination after every round."""
        for answer in self.staged_predict(X):
            yield float(r2_score(y, answer, sample_weight=sample_weight))

    def outlier_ranking(self) -> Places:
        """Training rows, those first on which boosting has put the most weight (tree.17)."""
        check_is_fitted(self)
        return np.argsort(-self.row_weights_, kind="stable")

    @property
    def feature_importances_(self) -> Floats:
        """Importances of the learners, averaged by their votes."""
        return mean_importance(self, self.estimators_, self.estimator_weights_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = get_tags(self._base()).input_tags.allow_nan
        return tags
