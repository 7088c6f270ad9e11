"""Classification by any coding matrix."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from margin.core import Card, atomic, best_label, check, random
from margin.core.types import Array, Floats, Matrix
from margin.multiclass._binary_classifiers import (
    column_scores,
    fit_columns,
    fit_side,
    signed_score,
)
from margin.multiclass._binary_reduction import BinaryReduction, Examples
from margin.multiclass._code_matrices import (
    FIXED_CODES,
    MOST_EXHAUSTIVE,
    Code,
    checked_code,
    code_lengths,
    correction_capacity,
)
from margin.multiclass._decoding import (
    LOSSES,
    break_ties,
    disagreements,
    hamming_distances,
    loss_distances,
)
from margin.multiclass._fit_parameters import routed
from margin.multiclass._handed_on import handed_on
from margin.multiclass._random_code import random_code, signed_code
from margin.multiclass._spectral_code import between_class_covariance, spectral_code
from margin.multiclass._stagewise_code import stagewise_code
from margin.multiclass._training_cost import TrainingCost

_NAMES = ("auto", *FIXED_CODES, "random", "sparse-random", "spectral", "stagewise")
_FEW_CLASSES = 6


class OutputCodeClassifier(BinaryReduction):
    r"""Many classes by binary problems that are the columns of a code (linear.51).

    The matrix :math:`M \in \{-1, 0, +1\}^{C \times L}` says for each of :math:`L` classifiers
    which classes are positive, negative or left out. The prediction is the class whose row is
    closest to the answers: by the number of wrong signs, or by :math:`\sum_l \varphi(M_{kl} s_l)`
    with a loss of the margin (linear.56). Rows far apart outvote classifiers that are wrong.

    Parameters
    ----------
    estimator : classifier, optional
        Binary classifier, cloned for every column; :class:`LogisticRegression` by default.
    code : str or array-like of shape (n_classes, n_columns), default="auto"
        ``"one-vs-rest"``, ``"one-vs-one"``, ``"exhaustive"`` (linear.52), ``"random"`` or
        ``"sparse-random"`` (linear.53), ``"spectral"``, from the covariance of the class means
        (linear.54), ``"stagewise"``, each column for what is still confused (linear.55), or the
        matrix itself. ``"auto"``: exhaustive up to six classes, spectral for more.
    decoding : {"loss", "hamming"}, default="loss"
        Distance of the answers from a row of the code. A zero of the code counts one half in
        Hamming distances, of which ties are decided by the sum of the margins.
    loss : {"logistic", "hinge", "exponential", "squared", "linear"}, default="logistic"
        Loss of the margin in loss-based decoding.
    n_columns : int, optional
        Length of random, spectral and stagewise codes; :math:`10 \log_2 C` by default, or
        :math:`15 \log_2 C` for sparse ones, or all there are if fewer.
    code_size : float, optional
        Columns per class of a random code of -1 and +1 whose columns may repeat, as in
        scikit-learn; in place of ``code`` and ``n_columns``.
    n_jobs : int, optional
        Classifiers trained at a time, by threads; the answer does not depend on it. Stagewise
        codes train one after the other.
    random_state : None, int, Generator or RandomState
        Source of random codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    n_classes_ : int
        Their number.
    code_, code_book_ : ndarray of shape (n_classes, n_columns)
        The code used, and the same by scikit-learn's name.
    capacity_ : int
        Wrong answers that Hamming decoding corrects whatever they are.
    estimators_ : list of classifiers
        One per column.
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
    exhaustive_code, random_code, spectral_code : The codes as matrices.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from margin.multiclass import OutputCodeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OutputCodeClassifier(code="one-vs-one", decoding="hamming").fit(X, y)
    >>> model.code_.shape, round(model.score(X, y), 3)
    ((3, 3), 0.973)
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        min_classes=3,
        search_space={"code": ["exhaustive", "one-vs-one", "spectral"]},
        max_rows=200_000,
    )

    def __init__(
        self,
        estimator: Any = None,
        *,
        code: str | ArrayLike = "auto",
        decoding: Literal["loss", "hamming"] = "loss",
        loss: str = "logistic",
        n_columns: int | None = None,
        code_size: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.code = code
        self.decoding = decoding
        self.loss = loss
        self.n_columns = n_columns
        self.code_size = code_size
        self.n_jobs = n_jobs
        self.random_state = random_state

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Build the code and train one classifier per column.

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
        self._check_params()
        given = routed(self, "fit", fit_params, sample_weight)
        examples = self._examples(X, y, given.pop("sample_weight", None))
        kind = self._kind(len(examples.labels))

        if kind == "stagewise":
            code, classifiers = self._grow(examples, given)
        else:
            code = self._build(examples, kind)
            X, _, codes, weight = examples
            classifiers = fit_columns(self._base(), X, codes, weight, code, self.n_jobs, given)

        self.capacity_ = correction_capacity(code)
        note = f"{kind} code that corrects {max(self.capacity_, 0)} wrong answers"
        cost = TrainingCost.of(code, np.bincount(examples.codes))
        self._store(examples.labels, code, cost, classifiers, (note,))
        return self

    @property
    def code_book_(self) -> Code:
        """The code by scikit-learn's name."""
        return self.code_

    def _check_params(self) -> None:
        check.params(self, one_of={"decoding": ("loss", "hamming"), "loss": tuple(LOSSES)})
        if self.n_columns is not None:
            check.params(self, count="n_columns")
        if self.code_size is not None:
            check.params(self, positive="code_size")
        known = self.code in _NAMES if isinstance(self.code, str) else np.ndim(self.code) == 2
        if not known:
            names = ", ".join(map(repr, _NAMES))
            raise check.fail(self, "code", f"one of {names} or a matrix", self.code)

    def _kind(self, n_classes: int) -> str:
        if self.code_size is not None:
            return "signed"
        if not isinstance(self.code, str):
            return "given"
        if self.code == "auto":
            return "exhaustive" if n_classes <= _FEW_CLASSES else "spectral"
        return self.code

    def _build(self, examples: Examples, kind: str) -> Code:
        """Code that is known before any classifier is trained."""
        X, labels, codes, weight = examples
        n_classes = len(labels)
        if kind == "given":
            return checked_code(type(self).__name__, self.code, n_classes)
        if kind in FIXED_CODES:
            if kind == "exhaustive" and n_classes > MOST_EXHAUSTIVE:
                need = f"another one for more than {MOST_EXHAUSTIVE} classes"
                raise check.fail(self, "code", need, self.code)
            return FIXED_CODES[kind](n_classes)
        if kind == "signed" and self.code_size is not None:
            length = max(1, int(n_classes * self.code_size))
            return signed_code(n_classes, length, random.generator(self.random_state))
        length = self._length(kind, n_classes)
        if kind == "spectral":
            if handed_on(X):
                X = check_array(X, ensure_all_finite="allow-nan", input_name="X")
            return spectral_code(between_class_covariance(X, codes, weight), length)
        rng = random.generator(self.random_state)
        return random_code(n_classes, length, sparse=kind == "sparse-random", random_state=rng)

    def _length(self, kind: str, n_classes: int) -> int:
        """Length asked for, held against what is possible."""
        low, usual, high = code_lengths(n_classes, sparse=kind == "sparse-random")
        if self.n_columns is not None and not low <= self.n_columns <= high:
            need = f"from {low} to {high} for {n_classes} classes"
            raise check.fail(self, "n_columns", need, self.n_columns)
        return usual if self.n_columns is None else self.n_columns

    def _grow(self, examples: Examples, given: dict[str, Any]) -> tuple[Code, list[Any]]:
        """Code that is built along with its classifiers."""
        X, labels, codes, weight = examples
        base = self._base()

        def fitted(column: Code) -> tuple[Any, Floats]:
            classifier = fit_side(base, X, column[codes], weight, given)
            return classifier, signed_score(classifier, X)

        length = self._length("stagewise", len(labels))
        code, classifiers = stagewise_code(fitted, self._distances(), codes, weight, length)
        return checked_code(type(self).__name__, code, len(labels)), classifiers

    def _distances(self) -> Callable[[Floats, Code], Floats]:
        if self.decoding == "hamming":
            return hamming_distances
        return partial(loss_distances, loss=self.loss)

    def _class_scores(self, X: Matrix) -> tuple[Floats, Floats]:
        """Margins of the classifiers, and the score of every class."""
        X = self._table(X)
        margins = column_scores(self.estimators_, X)
        scores = -self._distances()(margins, self.code_)
        if self.decoding == "hamming":
            scores = break_ties(scores, margins @ self.code_.T.astype(margins.dtype))
        return margins, scores

    def decision_function(self, X: Matrix) -> Floats:
        """Negative distance of the answers from the row of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes the score of the second less that of the first.
        """
        _, scores = self._class_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Matrix) -> Array:
        """Class of the closest row of the code."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def _doubtful(self, X: Matrix) -> tuple[Array, Array]:
        """A class is in doubt where more classifiers disagree than the code corrects."""
        margins, scores = self._class_scores(X)
        best = scores.argmax(axis=1)
        wrong = disagreements(margins, self.code_)[np.arange(len(best)), best]
        return best, wrong > max(self.capacity_, 0)
