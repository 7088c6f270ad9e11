"""One-vs-rest classification."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from margin.core import Card, atomic, best_label, check
from margin.multiclass import _reduction as reduction
from margin.multiclass._code_matrices import one_vs_rest_code
from margin.multiclass._decoding import disagreements
from margin.multiclass._training_cost import TrainingCost

_SCORES = ("decision", "posterior", "hard", "norm-one")


def _has_posteriors(self):
    base = reduction.base_classifier(self)
    if self.scores in ("decision", "posterior") and hasattr(base, "predict_proba"):
        return True
    raise AttributeError(
        f"{type(self).__name__}: predict_proba needs scores='decision' or 'posterior' and a base "
        "classifier with probabilities"
    )


class OneVsRestClassifier(ClassifierMixin, BaseEstimator):
    r"""One binary classifier per class against all others (linear.48).

    Classifier :math:`h_k` is trained with class :math:`k` as positive and the rest as negative;
    the prediction is :math:`\arg\max_k h_k(x)`, which asks for comparable outputs. With linear
    classifiers the boundary between two classes is :math:`(w_i - w_j)^\top x + b_i - b_j = 0`.

    Parameters
    ----------
    estimator : classifier, optional
        Binary classifier, cloned for every class; :class:`LogisticRegression` by default.
    scores : {"decision", "posterior", "hard", "norm-one"}, default="decision"
        What is compared: decision values (log-odds where the classifier has probabilities only),
        probabilities, votes of zero or one, of which ties go to the first class, or signed
        distances from the hyperplanes, :math:`(w_k^\top x + b_k) / \|w_k\|`.
    n_jobs : int, optional
        Classifiers trained at a time, by threads; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    estimators_ : list of classifiers
        One per class; a single one, with the second class positive, for two classes.
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

    See Also
    --------
    OneVsOneClassifier : One classifier per pair of classes.
    OutputCodeClassifier : Any coding matrix.

    Examples
    --------
    >>> from margin.multiclass import OneVsRestClassifier
    >>> X, y = [[0], [1], [4], [5], [9], [10]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OneVsRestClassifier().fit(X, y)
    >>> model.predict([[0.5], [9.5]]), model.training_cost_.total_rows
    (array(['a', 'c'], dtype='<U1'), 18)

    A line does not cut out the middle class, so in the middle nobody is sure:

    >>> model.predict_or_reject([[0.5], [4.5]])
    array(['a', None], dtype=object)
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        min_classes=3,
        search_space={"scores": ["decision", "norm-one"]},
    )

    def __init__(self, *, estimator=None, scores="decision", n_jobs=None):
        self.estimator = estimator
        self.scores = scores
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Train one classifier per class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, handed to the classifiers.

        Returns
        -------
        self
        """
        check.params(self, one_of={"scores": _SCORES})
        X, codes, weight = reduction.checked(self, X, y, sample_weight)

        self.code_ = one_vs_rest_code(len(self.classes_))
        self.estimators_ = reduction.fit_columns(self, X, codes, weight, self.code_)
        self._check_scores()

        self.training_cost_ = TrainingCost.of(self.code_, np.bincount(codes))
        self.fit_report_ = reduction.gathered_report(self, self.estimators_, self.training_cost_)
        return self

    def _check_scores(self):
        """Refuse scores that the classifiers cannot give."""
        needed = {"posterior": "predict_proba", "norm-one": "coef_"}.get(self.scores)
        if needed is not None and not hasattr(self.estimators_[0], needed):
            need = f"another choice for a base classifier without {needed}"
            raise check.fail(self, "scores", need, self.scores)

    def _column_scores(self, X):
        """What is compared, one column per classifier; above ``_threshold`` it fires."""
        X = reduction.table(self, X)
        one = {
            "decision": reduction.signed_score,
            "posterior": reduction.posterior,
            "hard": lambda estimator, X: np.maximum(reduction.hard_vote(estimator, X), 0.0),
            "norm-one": reduction.signed_distance,
        }[self.scores]
        return np.column_stack([one(estimator, X) for estimator in self.estimators_])

    @property
    def _threshold(self):
        return 0.5 if self.scores in ("posterior", "hard") else 0.0

    def decision_function(self, X):
        """Scores of the classes; for two, above zero means the second.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._column_scores(X)
        return scores[:, 0] - self._threshold if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Class of the highest score."""
        return best_label(self, self.decision_function(X))

    @available_if(_has_posteriors)
    def predict_proba(self, X):
        """Probabilities of the classifiers, scaled to sum to one over the classes."""
        X = reduction.table(self, X)
        share = np.column_stack([reduction.posterior(e, X) for e in self.estimators_])
        if len(self.classes_) == 2:
            return np.column_stack([1 - share[:, 0], share[:, 0]])
        total = share.sum(axis=1, keepdims=True)
        even = np.full_like(share, 1 / share.shape[1])
        return np.divide(share, total, out=even, where=total > 0)

    def predict_or_reject(self, X, *, reject=None):
        """Class whose classifier alone fires, else "don't know" (linear.24).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        reject : object, default=None
            What stands for "don't know".

        Returns
        -------
        ndarray of object, shape (n_samples,)
        """
        fired = self._column_scores(X) - self._threshold
        wrong = disagreements(fired, self.code_)
        answer = self.classes_[wrong.argmin(axis=1)].astype(object)
        answer[wrong.min(axis=1) > 0] = reject
        return answer

    def __sklearn_tags__(self):
        return reduction.forward_tags(self, super().__sklearn_tags__())
