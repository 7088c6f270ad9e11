"""Naive Bayes of columns of different kinds, with labels missing if need be."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Card, atomic, check, progress, random
from margin.core.types import Array, Bools, Floats, Matrix, Places
from margin.linear._class_priors import class_priors
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear.naive_bayes._column_kinds import (
    SPARSE_KINDS,
    check_kinds,
    check_values,
    column_kinds,
    column_models,
)
from margin.linear.naive_bayes._frame_levels import Levels
from margin.linear.naive_bayes._naive_bayes_em import PartlyLabelled, Rows, fit_partly_labelled
from margin.linear.naive_bayes._partial_labels import partial_labels


class MixedNB(GenerativeClassifier):
    r"""Naive Bayes of columns of different kinds, labelled or not (linear.43 to linear.47).

    Semi-supervised naive Bayes (adaptation.06) and the mixture of product distributions that is
    naive Bayes without any label (mixture.06).

    The model is :math:`p(x, k) = \pi_k \prod_j p_j(x_j \mid k)`, where each :math:`p_j` is of the
    kind of its column. NaN in ``X`` is unobserved and integrated out. Rows without a label take
    part through :math:`\sum_k p(x, k)`, maximised by expectation maximisation: all labels make the
    supervised fit, some a semi-supervised one, none (``y=None``) a clustering.

    Parameters
    ----------
    column_models : "auto", str, list or dict, default="auto"
        Kind of every column: one for all, one per column, or by name or number of the column with
        ``"auto"`` for the others.

        ================= ========================================================================
        ``"gaussian"``    normal; the variance is drawn towards that of the column
        ``"categorical"`` categories 0, 1, …, or strings and categories of a frame
        ``"bernoulli"``   zeros and ones
        ``"poisson"``     numbers of events; the rate is drawn towards that of the column
        ``"histogram"``   any numbers, by frequencies in equal bins (linear.47)
        ``"multinomial"`` all such columns together are the word counts of one document
        ================= ========================================================================

        ``"auto"`` is ``"categorical"`` for strings and for whole numbers from 0 to 7, and
        ``"gaussian"`` otherwise. A category that first occurs in a prediction says nothing about
        the class and counts as unobserved.
    alpha : float, default=1.0
        Observations the prior is worth: of every category, bin or word, and of the mean and the
        variance of a column over all classes.
    n_bins : int or "auto", default="auto"
        Bins of a histogram; ``"auto"`` is twice the cube root of the number of different values.
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; estimated when absent (linear.25).
    unlabelled : object, default=None
        Value of ``y`` that marks a row without label, besides None and NaN.
    n_classes : int, optional
        Number of classes when no row has a label.
    n_init : int, default=5
        Starts of a clustering; the best is kept.
    tol : float, default=1e-6
        Least relative improvement of the objective to go on.
    max_iter : int, default=500
        Most steps of expectation maximisation.
    random_state : None, int, Generator or RandomState
        Seed of the starts of a clustering.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
        Labels and their priors.
    column_kinds_ : list of str
        Kind of every column.
    categories_ : dict
        Levels of the columns of a frame that are not numbers, in the order of their codes.
    fit_report_ : FitReport
        Mean negative log likelihood of what was observed, minus the log prior of the parameters
        per row; its trace never rises.
    n_iter_ : int
        Steps made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p K)` operations a step. Sparse input if all columns are multinomial or bernoulli.

    References
    ----------
    Nigam, McCallum, Thrun and Mitchell (2000), Text classification from labeled and unlabeled
    documents using EM.

    Examples
    --------
    >>> from margin.linear import MixedNB
    >>> X = [[1.0, 0], [1.4, 0], [0.8, 1], [7.7, 2], [8.1, 2], [8.5, float("nan")]]
    >>> model = MixedNB().fit(X, ["a", "a", "a", "b", "b", None])
    >>> model.column_kinds_
    ['gaussian', 'categorical']
    >>> model.predict([[float("nan"), 2], [1.2, 1]]).tolist()
    ['b', 'a']
    """

    card = Card(
        tasks=("classification",), cost="linear", search_space={"alpha": (1e-2, 1e2, "log")}
    )

    def __init__(
        self,
        *,
        column_models: Any = "auto",
        alpha: float = 1.0,
        n_bins: int | str = "auto",
        priors: ArrayLike | str | None = None,
        unlabelled: Any = None,
        n_classes: int | None = None,
        n_init: int = 5,
        tol: float = 1e-6,
        max_iter: int = 500,
        random_state: Any = None,
    ) -> None:
        self.column_models = column_models
        self.alpha = alpha
        self.n_bins = n_bins
        self.priors = priors
        self.unlabelled = unlabelled
        self.n_classes = n_classes
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(
        self, X: Matrix, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit priors and densities, from labelled rows, unlabelled rows or both.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            Labels; None, NaN and ``unlabelled`` mean that the class is not known.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        levels = Levels.of(X)
        labels, known = self._labels(X, y)
        X, labels, weight = check.data(
            self,
            levels.encode(X),
            labels,
            sample_weight,
            target="classes",
            sparse=self._takes_sparse,
            missing=True,
        )
        self.classes_, rows = self._rows(X, labels, known, weight)
        self.categories_ = dict(levels.levels)
        names = getattr(self, "feature_names_in_", None)
        self.column_kinds_ = column_kinds(self, self.column_models, rows.X, names, self.categories_)
        check_values(self, rows.X, self.column_kinds_, fitting=True)
        model = column_models(
            rows.X, rows.weight, self.column_kinds_, alpha=self.alpha, n_bins=self.n_bins
        )
        given = None
        if self.priors is not None:
            given = class_priors(self, self.priors, np.ones(len(self.classes_)))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = fit_partly_labelled(
                PartlyLabelled(model, rows, given),
                tol=self.tol,
                max_iter=self.max_iter,
                n_init=self.n_init,
                rng=random.generator(self.random_state),
                callback=tick,
            )
        self._likelihood, self._log_prior = solution.x
        self.priors_ = np.exp(self._log_prior)
        without = int(np.sum(rows.code < 0))
        notes = (f"{without} of {len(rows.code)} rows have no label",) if without else ()
        self.fit_report_ = check.report(self, solution, notes)
        self.n_iter_ = self.fit_report_.n_iter
        return self

    def _check_params(self) -> None:
        check.params(self, nonnegative="alpha", positive="tol", count="n_init max_iter")
        check_kinds(self, self.column_models)
        if self.n_bins != "auto":
            check.params(self, count="n_bins")
        if self.n_classes is not None:
            check.params(self, count="n_classes")
        if not (self.unlabelled is None or np.isscalar(self.unlabelled)):
            raise check.fail(self, "unlabelled", "None or one label", self.unlabelled)

    @property
    def _takes_sparse(self) -> bool:
        return isinstance(self.column_models, str) and self.column_models in SPARSE_KINDS

    def _labels(self, X: Any, y: Any) -> tuple[Any, Bools | None]:
        """Labels with a stand-in where there is none, and which rows have one (None for all)."""
        if y is not None:
            return partial_labels(y, self.unlabelled)
        if self.n_classes is None:
            raise ValueError(
                f"{type(self).__name__}: n_classes must be given when no row has a label "
                f"(fit requires y to be passed, but the target y is None)"
            )
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        return np.zeros(n, dtype=np.int64), np.zeros(n, dtype=bool)

    def _rows(
        self, X: Any, labels: Array, known: Bools | None, weight: Floats | None
    ) -> tuple[Array, Rows]:
        """Labels, and the rows of positive weight with their classes, -1 where not known."""
        known = np.ones(len(labels), dtype=bool) if known is None else known
        code = np.full(len(labels), -1, dtype=np.int64)
        if known.any():
            classes, code[known] = check.classes(self, labels[known])
            if self.n_classes not in (None, len(classes)):
                wanted = f"None or {len(classes)}, the number of labels"
                raise check.fail(self, "n_classes", wanted, self.n_classes)
        elif self.n_classes is None or not 2 <= self.n_classes <= len(labels):
            wanted = f"between 2 and {len(labels)} samples when no row has a label"
            raise check.fail(self, "n_classes", wanted, self.n_classes)
        else:
            classes = np.arange(self.n_classes)
        if weight is not None and not weight.all():
            X, code, weight = X[weight > 0], code[weight > 0], weight[weight > 0]
            if known.any() and len(np.unique(code[code >= 0])) < len(classes):
                raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        return classes, Rows(X, code, len(classes), weight)

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, for every row and class."""
        levels = Levels(getattr(self, "categories_", {}))
        X = check.table(self, levels.encode(X), sparse=self._takes_sparse, missing=True)
        check_values(self, X, self.column_kinds_, fitting=False)
        return np.asarray(self._likelihood.log_prob(X) + self._log_prior)

    def score_samples(self, X: Matrix) -> Floats:
        """Log density of every row, classes summed out."""
        return np.asarray(np.logaddexp.reduce(self.log_joint(X), axis=1))

    def _class_shares(self) -> Floats:
        return np.asarray(self.priors_ / self.priors_.sum())

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        return np.asarray(self._likelihood.sample(code, rng))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = self._takes_sparse
        whole = isinstance(self.column_models, str)
        tags.input_tags.positive_only = whole and self.column_models in ("poisson", "multinomial")
        return tags
