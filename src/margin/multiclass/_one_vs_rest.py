"""One-vs-rest classification."""

import warnings
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MultiOutputMixin
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, available_if, best_label, check
from margin.core.types import Array, Floats, Matrix
from margin.multiclass._binary_classifiers import (
    fit_columns,
    fit_sides,
    hard_vote,
    posterior,
    signed_distance,
    signed_score,
)
from margin.multiclass._binary_reduction import BinaryReduction
from margin.multiclass._code_matrices import Code, one_vs_rest_code
from margin.multiclass._constant_classifier import ConstantClassifier
from margin.multiclass._decoding import disagreements
from margin.multiclass._fit_parameters import routed
from margin.multiclass._label_sets import is_indicator, label_sets
from margin.multiclass._training_cost import TrainingCost

_SCORES = ("decision", "posterior", "hard", "norm-one")


def _has_posteriors(self: Any) -> bool:
    if self.scores in ("decision", "posterior") and hasattr(self._base(), "predict_proba"):
        return True
    raise AttributeError(
        f"{type(self).__name__}: predict_proba needs scores='decision' or 'posterior' and a base "
        "classifier with probabilities"
    )


class OneVsRestClassifier(MultiOutputMixin, BinaryReduction):
    r"""One binary classifier per class against all others (linear.48).

    Classifier :math:`h_k` is trained with class :math:`k` as positive and the rest as negative;
    the prediction is :math:`\arg\max_k h_k(x)`, which asks for comparable outputs. With linear
    classifiers the boundary between two classes is :math:`(w_i - w_j)^\top x + b_i - b_j = 0`.

    Where the target is a matrix of zeros and ones, a row may have any number of labels: every
    classifier decides by itself.

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
    verbose : int, default=0
        Without effect: how the classifiers did is in ``fit_report_``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Their number.
    estimators_ : list of classifiers
        One per class; a single one, with the second class positive, for two classes. Where a
        label is on or off in all rows, one that always says so.
    label_binarizer_ : LabelBinarizer
        Labels as columns of zeros and ones and back.
    multilabel_ : bool
        Whether a row may have any number of labels.
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

    def __init__(
        self,
        estimator: Any = None,
        *,
        scores: Literal["decision", "posterior", "hard", "norm-one"] = "decision",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.scores = scores
        self.n_jobs = n_jobs
        self.verbose = verbose

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Train one classifier per class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), or array or sparse matrix of shape \
                (n_samples, n_classes)
            One label per row, or zeros and ones where a row may have any number of labels.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, handed to the classifiers.
        **fit_params : dict
            Handed to ``fit`` of the classifiers; what has an entry per row, for their rows.

        Returns
        -------
        self
        """
        check.params(self, one_of={"scores": _SCORES})
        given = routed(self, "fit", fit_params, sample_weight)
        weight = given.pop("sample_weight", None)
        if is_indicator(y):
            return self._fit_label_sets(X, y, weight, given)
        X, labels, codes, weight = self._examples(X, y, weight, least=1)

        code = self._fixed_code(len(labels))
        classifiers = fit_columns(self._base(), X, codes, weight, code, self.n_jobs, given)
        self._check_answers(classifiers)
        notes = ("y holds one class: it is the answer",) if len(labels) == 1 else ()
        self._store(labels, code, TrainingCost.of(code, np.bincount(codes)), classifiers, notes)
        return self

    def _fit_label_sets(self, X: Matrix, y: Any, weight: Any, given: dict[str, Any]) -> Self:
        """One classifier per column of zeros and ones, each on all rows."""
        binarizer, sides = label_sets(y)
        X, _, weight = self._training(X, sides[0], weight)
        self._check_weighable(weight)
        labels = binarizer.classes_
        for label, side in zip(labels, sides, strict=True):
            if abs(side.sum()) == len(side):
                told = label if side[0] > 0 else f"not {label}"
                text = f"{type(self).__name__}: Label {told} is present in all training examples"
                warnings.warn(text, UserWarning, stacklevel=4)

        classifiers = fit_sides(self._base(), X, sides, weight, self.n_jobs, given)
        self._check_answers(classifiers)
        each_its_own = 2 * np.eye(len(labels), dtype=np.int8) - np.int8(1)
        cost = TrainingCost((len(sides[0]),) * len(labels))
        self._store(labels, each_its_own, cost, classifiers)
        self.label_binarizer_ = binarizer
        return self

    def _store(
        self,
        labels: Array,
        code: Code,
        cost: TrainingCost,
        classifiers: list[Any],
        notes: tuple[str, ...] = (),
    ) -> None:
        super()._store(labels, code, cost, classifiers, notes)
        self.__dict__.pop("label_binarizer_", None)

    @cached_property
    def label_binarizer_(self) -> LabelBinarizer:
        """Labels as columns of zeros and ones; of single labels made when first asked for."""
        return LabelBinarizer(sparse_output=True).fit(self.classes_)

    def _check_answers(self, classifiers: list[Any]) -> None:
        """What is compared must be there; a constant has it all."""
        needed = {"posterior": "predict_proba", "norm-one": "coef_"}.get(self.scores)
        learned = [each for each in classifiers if not isinstance(each, ConstantClassifier)]
        if needed is not None and learned and not hasattr(learned[0], needed):
            need = f"another choice for a base classifier without {needed}"
            raise check.fail(self, "scores", need, self.scores)

    def _fixed_code(self, n_classes: int) -> Code:
        return np.array([[-1]], dtype=np.int8) if n_classes == 1 else one_vs_rest_code(n_classes)

    @property
    def multilabel_(self) -> bool:
        """Whether a row may have any number of labels."""
        check_is_fitted(self)
        binarizer = vars(self).get("label_binarizer_")
        return binarizer is not None and bool(binarizer.y_type_.startswith("multilabel"))

    def _column_scores(self, X: Matrix) -> Floats:
        """What is compared, one column per classifier; above ``_threshold`` it fires."""
        X = self._table(X)
        score = {
            "decision": signed_score,
            "posterior": posterior,
            "hard": _fires,
            "norm-one": signed_distance,
        }[self.scores]
        return np.column_stack([score(classifier, X) for classifier in self.estimators_])

    @property
    def _threshold(self) -> float:
        return 0.5 if self.scores in ("posterior", "hard") else 0.0

    def decision_function(self, X: Matrix) -> Floats:
        """Scores of the classes; for two, above zero means the second.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._column_scores(X)
        return scores[:, 0] - self._threshold if len(self.estimators_) == 1 else scores

    def predict(self, X: Matrix) -> Array:
        """Class of the highest score, or every label whose classifier fires.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or array of shape (n_samples, n_classes)
            Zeros and ones where the target of ``fit`` was such a matrix, sparse if that was.
        """
        scores = self.decision_function(X)
        if not self.multilabel_:
            return best_label(self.classes_, scores)
        fires = (scores > self._threshold).astype(int)
        labelled: Array = self.label_binarizer_.inverse_transform(fires)
        return labelled

    @available_if(_has_posteriors)
    def predict_proba(self, X: Matrix) -> Floats:
        """Probabilities of the classifiers, scaled to sum to one unless labels come in sets."""
        X = self._table(X)
        share = np.column_stack([posterior(classifier, X) for classifier in self.estimators_])
        if self.multilabel_:
            return share
        if len(self.estimators_) == 1:
            return np.column_stack([1 - share[:, 0], share[:, 0]])
        total = share.sum(axis=1, keepdims=True)
        even = np.full_like(share, 1 / share.shape[1])
        return np.asarray(np.divide(share, total, out=even, where=total > 0))

    def _doubtful(self, X: Matrix) -> tuple[Array, Array]:
        """Unless its classifier alone fires, a class is in doubt."""
        if self.multilabel_:
            raise ValueError(
                f"{type(self).__name__}: predict_or_reject needs one class per row, got sets of "
                "labels in fit"
            )
        wrong = disagreements(self._column_scores(X) - self._threshold, self.code_)
        return wrong.argmin(axis=1), wrong.min(axis=1) > 0


def _fires(classifier: Any, X: Any) -> Floats:
    """One where the classifier predicts its positive side, else zero."""
    return np.maximum(hard_vote(classifier, X), 0.0)
