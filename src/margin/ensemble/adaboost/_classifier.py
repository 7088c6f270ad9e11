"""AdaBoost for classification."""

from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Iterate, Stop, atomic, check, iterate, progress, random
from margin.core.types import Array, Floats, Matrix, Places
from margin.ensemble.adaboost._codes import code_rounds
from margin.ensemble.adaboost._discrete import discrete_rounds
from margin.ensemble.adaboost._importance import mean_importance
from margin.ensemble.adaboost._real import real_rounds
from margin.ensemble.adaboost._round import Round, Rows, Weak, with_mean_weight
from margin.ensemble.adaboost._scores import (
    class_margins,
    codes_of,
    decision,
    log_shares_of,
    probabilities,
    staged_scores,
)
from margin.ensemble.members._member_data import member_data, member_table
from margin.ensemble.members._members import base_model, fit_weighted, seeded
from margin.tree import DecisionTreeClassifier

_VARIANTS = ("discrete", "real", "codes")


class AdaBoostClassifier(ClassifierMixin, BaseEstimator):
    r"""AdaBoost: a weighted vote of classifiers, each trained on the mistakes of those before.

    Round :math:`t` trains a weak learner :math:`b_t` on rows of weight :math:`w_i`, measures its
    error :math:`\epsilon_t = \sum_i w_i [b_t(x_i) \ne y_i]`, gives it the vote

    .. math:: \alpha_t = \eta \left( \log \frac{1 - \epsilon_t}{\epsilon_t} + \log (K - 1) \right)

    and multiplies the weights of the rows that it got wrong by :math:`e^{\alpha_t}`. That is the
    best step along :math:`b_t` for the exponential loss :math:`\sum_i e^{-y_i f(x_i)}` (tree.12,
    tree.13: also with linear classifiers as learners).

    Parameters
    ----------
    estimator : classifier, optional
        Weak learner, cloned in every round; a tree of one split by default. One that takes no
        ``sample_weight`` is trained on rows drawn by weight.
    n_estimators : int, default=50
        Most rounds. Boosting ends earlier with a learner that makes no error, or when there is
        none better than guessing.
    learning_rate : float, default=1.0
        Factor :math:`\eta` of the votes.
    variant : {"discrete", "real", "codes"}, default="discrete"
        ``"discrete"`` as above, SAMME for several classes; ``"real"`` lets learners vote with the
        logarithms of their probabilities (SAMME.R); ``"codes"`` trains each learner on two groups
        of the classes, which asks only that it is better than one half (AdaBoost.OC, tree.16).
    votes : {"log", "odds"}, default="log"
        Votes :math:`\alpha_t` of the discrete variant, or the odds :math:`e^{\alpha_t}` that some
        texts print; the weights of the rows are the same.
    random_state : int, Generator, RandomState or None, default=0
        Seeds of the learners, draws of rows and of groups of classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Their number.
    estimator_ : classifier
        What was cloned.
    estimators_ : list of classifiers
        One per round.
    estimator_weights_ : ndarray of shape (n_rounds,)
        Their votes.
    estimator_errors_ : ndarray of shape (n_rounds,)
        Their weighted errors.
    row_weights_ : ndarray of shape (n_samples,)
        Mean weights of the rows over the rounds; high for rows that are hard to get right.
    fit_report_ : FitReport
        Exponential loss (of ``"codes"``: the bound of its rate), error and vote per round.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    See Also
    --------
    margin.ensemble.GradientBoostingClassifier : Any differentiable loss.

    Notes
    -----
    One fit of the learner per round, and one prediction of the training rows.

    References
    ----------
    Freund and Schapire (1997), J. Comput. Syst. Sci. 55. Zhu, Zou, Rosset and Hastie (2009),
    Statistics and Its Interface 2. Schapire (1997), ICML.

    Examples
    --------
    >>> from margin.ensemble import AdaBoostClassifier
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X), model.estimator_errors_[0].round(4)
    (array([0, 0, 1, 1, 0, 0]), np.float64(0.3333))
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"n_estimators": [50, 200], "learning_rate": (0.1, 1.0, "log")},
    )

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        variant: Literal["discrete", "real", "codes"] = "discrete",
        votes: Literal["log", "odds"] = "log",
        random_state: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.variant = variant
        self.votes = votes
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels.
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
            one_of={"variant": _VARIANTS, "votes": ("log", "odds")},
        )
        base = self._base()
        if self.variant == "real" and not hasattr(base, "predict_proba"):
            raise check.fail(self, "estimator", "one with predict_proba for variant='real'", base)
        tags = get_tags(base).input_tags
        X, y, weight = member_data(
            self, X, y, sample_weight, target="classes", missing=tags.allow_nan
        )
        labels, codes = check.classes(self, y, least=1)

        rng = random.generator(self.random_state)
        rows = Rows(
            codes,
            len(labels),
            np.ones(len(codes)) if weight is None else weight,
            type(self).__name__,
        )
        stop = Stop(
            "exponential loss",
            None,
            self.n_estimators,
            unit="round",
            keep="last",
            columns=("error", "vote"),
        )
        with progress.bar("AdaBoost", self.n_estimators) as callback:
            solution = iterate(
                with_mean_weight(self._rounds(base, X, labels, rows, rng)),
                stop,
                solver=f"AdaBoost ({self.variant})",
                callback=callback,
            )
        rounds: tuple[Round, ...] = solution.x

        self.classes_, self.n_classes_ = labels, len(labels)
        self.estimator_ = base
        self.estimators_ = [each.learner for each in rounds]
        self.estimator_weights_ = np.array([each.vote for each in rounds])
        self.estimator_errors_ = np.array([each.error for each in rounds])
        self._sides = [each.side for each in rounds]
        self.row_weights_ = solution.extras["weight"]
        self.fit_report_ = check.report(self, solution)
        return self

    def _base(self) -> Any:
        return base_model(self, self.estimator, DecisionTreeClassifier(max_depth=1))

    def _rounds(
        self, base: Any, X: Any, labels: Array, rows: Rows, rng: np.random.Generator
    ) -> Iterator[Iterate]:
        """The states of the chosen variant."""
        groups = self.variant == "codes" and len(labels) > 2
        answers = np.array([False, True]) if groups else labels

        # Learners with a penalty see as much weight as there is data.
        total = rows.weight.sum()

        def train(target: Array, weight: Floats) -> Any:
            answer = target if groups else labels[target]
            return fit_weighted(seeded(base, rng), X, answer, weight * total, rng)

        def codes(learner: Any) -> Places:
            return codes_of(learner, X, answers)

        def log_shares(learner: Any) -> Floats:
            return log_shares_of(learner, X, labels)

        weak = Weak(train, codes, log_shares)
        if groups:
            return code_rounds(weak, rows, self.learning_rate, rng)
        if self.variant == "real":
            return real_rounds(weak, rows, self.learning_rate)
        return discrete_rounds(weak, rows, self.learning_rate, self.votes)

    def _staged(self, X: Matrix) -> Iterator[Floats]:
        X = member_table(self, X, missing=get_tags(self._base()).input_tags.allow_nan)
        rounds = [
            Round(learner, float(vote), float(error), side)
            for learner, vote, error, side in zip(
                self.estimators_,
                self.estimator_weights_,
                self.estimator_errors_,
                self._sides,
                strict=True,
            )
        ]
        return staged_scores(rounds, X, self.classes_, self.variant == "real")

    def _scores(self, X: Matrix) -> Floats:
        scores: Floats = np.empty(0)
        for scores in self._staged(X):  # noqa: B007
            pass
        return scores

    def decision_function(self, X: Matrix) -> Floats:
        """Weighted votes of the classes; for two, above zero means the second.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return decision(self._scores(X))

    def staged_decision_function(self, X: Matrix) -> Iterator[Floats]:
        """Decision values after every round."""
        return (decision(scores) for scores in self._staged(X))

    def predict(self, X: Matrix) -> Array:
        """Class of the most votes."""
        best = self._scores(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def staged_predict(self, X: Matrix) -> Iterator[Array]:
        """Classes after every round."""
        return (np.asarray(self.classes_[s.argmax(axis=1)]) for s in self._staged(X))

    def predict_proba(self, X: Matrix) -> Floats:
        """Probabilities of the classes for which the votes are log-odds."""
        return probabilities(self._scores(X))

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithms of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X)))

    def staged_predict_proba(self, X: Matrix) -> Iterator[Floats]:
        """Probabilities after every round."""
        return (probabilities(scores) for scores in self._staged(X))

    def staged_score(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[float]:
        """Accuracy after every round."""
        for answer in self.staged_predict(X):
            yield float(accuracy_score(y, answer, sample_weight=sample_weight))

    def margins(self, X: Matrix, y: ArrayLike) -> Floats:
        """Votes for the right class minus those for the best wrong one, of each row (tree.18).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels among ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples,)
            Between -1 and 1 for the discrete variant; negative where the prediction is wrong.
        """
        truth = np.asarray(y)
        if not np.isin(truth, self.classes_).all():
            unknown = np.setdiff1d(truth, self.classes_)[0]
            raise check.fail(self, "y", "among the classes of fit", unknown)
        return class_margins(self._scores(X), np.searchsorted(self.classes_, truth))

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
