"""A classifier whose classes are probabilistic PCAs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import (
    Blocks,
    Card,
    Solution,
    Status,
    atomic,
    best_or_reject,
    check,
    confidence,
    random,
)
from margin.core.types import Array, Floats, Matrix
from margin.decomposition._blocks import RowBlocks, some
from margin.decomposition.probabilistic._gap_em import ColumnTotals, column_totals
from margin.decomposition.probabilistic._latent_normal import LatentNormal
from margin.decomposition.probabilistic._noise_floor import SHARE
from margin.decomposition.probabilistic._ppca_fit import PPCAFit, Settings, fit_of


class ProbabilisticPCAClassifier(ClassifierMixin, BaseEstimator):
    r"""Bayes' rule with a probabilistic PCA for every class (decomposition.08).

    .. math:: p(k \mid x) \propto \pi_k\, N(x \mid \mu_k, W_k W_k^\top + \sigma_k^2 I)

    Between naive Bayes and quadratic discriminant analysis: a covariance with :math:`p M + 1`
    numbers in the place of :math:`p (p + 1) / 2`, never singular. NaN is unobserved and
    integrated out in the fit and in predictions.

    Parameters
    ----------
    n_components : int, default=3
        Components of every class; a class of few rows takes fewer, and the report says so.
    priors : array-like of shape (n_classes,), optional
        Class priors; frequencies when absent.
    tol : float, default=1e-6
        Tolerance of expectation maximisation, with gaps.
    max_iter : int, default=1000
        Its most iterations.
    random_state : None, int, Generator or RandomState, default=0
        Its first loadings.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
        Labels and their priors.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    loadings_ : list of ndarray of shape (n_components, n_features)
        Loadings of every class.
    noise_variances_ : ndarray of shape (n_classes,)
        Noise of every class.
    n_iter_ : int
        Most iterations of a class; 1 without gaps.
    fit_report_ : FitReport
        Minus the log-likelihood of rows and labels.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + K p^3)` operations; predictions :math:`O(K p M)` a row.

    References
    ----------
    Tipping and Bishop (1999). Mixtures of probabilistic principal component analyzers. Neural
    Computation 11.

    Examples
    --------
    >>> from margin.decomposition import ProbabilisticPCAClassifier
    >>> X = [[0.0, 0.1], [1.0, 0.9], [2.0, 2.1], [0.1, 2.0], [1.1, 1.0], [1.9, 0.0]]
    >>> y = ["up", "up", "up", "down", "down", "down"]
    >>> model = ProbabilisticPCAClassifier(n_components=1).fit(X, y)
    >>> model.predict([[3.0, 3.0], [3.0, -1.0]])
    array(['up', 'down'], dtype='<U4')
    """

    card = Card(tasks=("classification",), search_space={"n_components": [1, 2, 3]}, seeded=False)

    def __init__(
        self,
        *,
        n_components: int = 3,
        priors: ArrayLike | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.priors = priors
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit a density to every class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, nonnegative="n_components tol", count="max_iter")
        X, y, weight = check.data(self, X, y, sample_weight, target="classes", missing=True)
        labels, code = check.classes(self, y)
        parts = []
        for k in range(len(labels)):
            held = None if weight is None else weight[code == k]
            parts.append(RowBlocks([_counted(X[code == k], held)]))
        return self._find(labels, parts, RowBlocks([(X, weight)]))

    @atomic
    def fit_blocks(self, blocks: Any, classes: ArrayLike | None = None) -> Self:
        """Fit to rows that come in blocks, the same as to all of them in memory.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)``, from something that can be read again
            or from a function that opens it: a few times for each class, with NaN in every
            iteration.
        classes : array-like of shape (n_classes,), optional
            Every class there is; left out, they are found in a pass of its own.

        Returns
        -------
        self
        """
        check.params(self, nonnegative="n_components tol", count="max_iter")
        source = _LabelledBlocks(self, Blocks.of(self, blocks))
        if classes is None:
            classes = np.concatenate([y for _, y, _ in source] or [np.empty(0)])
        labels, _ = check.classes(self, np.asarray(classes))
        parts = [RowBlocks(_OneClass(source, label)) for label in labels]
        return self._find(labels, parts, RowBlocks(_OneClass(source)))

    def _find(self, labels: Array, parts: list[RowBlocks], whole: RowBlocks) -> Self:
        """Fit a density to every part."""
        totals = np.array([_total(part) for part in parts])
        if totals.min() <= 0:
            need = "above 0 in every class"
            raise check.fail(self, "sample_weight", need, f"0 for {labels[totals.argmin()]!r}")
        every, within = column_totals(whole), [column_totals(part) for part in parts]
        priors = self._class_priors(totals)
        rng = random.generator(self.random_state)
        fits, notes = [], []
        for label, part, mine in zip(labels, parts, within, strict=True):
            size = min(int(self.n_components), max(min(mine.n_rows, len(mine.mean)) - 1, 0))
            if size < self.n_components:
                notes.append(f"class {label} has {size} components, for {mine.n_rows} rows")
            settings = Settings(size, True, self.tol, self.max_iter, rng)
            fits.append(_class_fit(part, mine, settings, every))
            self._check_finite(fits[-1].law, label)
        self.classes_, self.priors_ = labels, priors
        self._keep(fits, totals, tuple(notes))
        return self

    def _check_finite(self, law: LatentNormal, label: Any) -> None:
        """Refuse a class whose variances are no numbers."""
        if not all(np.isfinite(part).all() for part in (law.mean, law.loadings, law.noise)):
            size = float(np.nanmax(np.abs(law.mean), initial=0.0))
            need = "scaled so that the variances of every class are finite numbers"
            raise check.fail(self, "X", need, f"means up to {size:.3g} in class {label!r}")

    def _class_priors(self, totals: Floats) -> Floats:
        if self.priors is None:
            return np.asarray(totals / totals.sum())
        try:
            priors = np.asarray(self.priors, dtype=np.float64)
        except (TypeError, ValueError):
            priors = np.empty((0, 0))
        if priors.shape != totals.shape or not np.all(priors >= 0) or not priors.sum() > 0:
            need = f"non-negative, one for each of {len(totals)} classes"
            raise check.fail(self, "priors", need, self.priors)
        return np.asarray(priors / priors.sum())

    def _keep(self, fits: list[PPCAFit], totals: Floats, notes: tuple[str, ...]) -> None:
        self._laws = [fit.law for fit in fits]
        self.means_ = np.array([law.mean for law in self._laws])
        self.loadings_ = [np.ascontiguousarray(law.loadings.T) for law in self._laws]
        self.noise_variances_ = np.array([law.noise[0] for law in self._laws])
        whole = Solution.merge([fit.solution for fit in fits], parts="classes")
        surprise = float(totals @ np.log(np.maximum(self.priors_, 1e-300)))
        repairs = tuple(dict.fromkeys(text for fit in fits for text in fit.repairs))
        told = replace(whole, objective=whole.objective - surprise, repairs=repairs, x=np.empty(0))
        self.n_iter_ = told.n_iter
        self.fit_report_ = check.report(self, told, notes)

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, for every row and class."""
        X = np.asarray(check.table(self, X, missing=True), dtype=np.float64)
        density = np.column_stack([law.posterior(X).log_prob for law in self._laws])
        return np.asarray(density + np.log(np.maximum(self.priors_, 1e-300)))

    def decision_function(self, X: Matrix) -> Floats:
        """Log-odds of the second class for two classes, else the log joint of every class."""
        joint = self.log_joint(X)
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint

    def predict(self, X: Matrix) -> Array:
        """Most probable class of each row."""
        joint = self.log_joint(X)
        return np.asarray(self.classes_[joint.argmax(axis=1)])

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of the posterior probability of every class."""
        joint = self.log_joint(X)
        joint = joint - joint.max(axis=1, keepdims=True)
        return np.asarray(joint - np.log(np.exp(joint).sum(axis=1, keepdims=True)))

    def predict_proba(self, X: Matrix) -> Floats:
        """Posterior probability of every class, in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))

    def confidence(self, X: Matrix) -> Floats:
        """Posterior of the best class minus that of the second best."""
        return confidence(self.predict_proba(X))

    def predict_or_reject(self, X: Matrix, *, threshold: float = 0.9, reject: Any = None) -> Array:
        """Most probable class where its posterior reaches a threshold, else ``reject``."""
        return best_or_reject(self, self.predict_proba(X), self.classes_, threshold, reject)

    def score_samples(self, X: Matrix) -> Floats:
        """Log-density of what is observed of each row, over all classes."""
        joint = self.log_joint(X)
        top = joint.max(axis=1)
        return np.asarray(top + np.log(np.exp(joint - top[:, None]).sum(axis=1)))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Floats, Array]:
        """Rows and labels drawn from the fitted model."""
        check_is_fitted(self)
        rng = random.generator(random_state)
        code = rng.choice(len(self.classes_), size=n_samples, p=self.priors_)
        X = np.empty((n_samples, self.means_.shape[1]))
        for k, law in enumerate(self._laws):
            X[code == k] = law.sample(int(np.sum(code == k)), rng)
        return X, self.classes_[code]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _counted(rows: Array, weight: Floats | None) -> tuple[Array, Floats | None]:
    """Rows of some weight."""
    if weight is None or weight.all():
        return rows, weight
    return rows[weight > 0], weight[weight > 0]


@dataclass(frozen=True, eq=False)
class _LabelledBlocks:
    """Checked rows, labels and weights."""

    owner: ProbabilisticPCAClassifier
    blocks: Blocks

    def __iter__(self) -> Iterator[tuple[Array, Array, Floats | None]]:
        for number, block in enumerate(self.blocks):
            if len(block) not in (2, 3):
                need = "of tuples (X, y) or (X, y, sample_weight)"
                raise check.fail(self.owner, "blocks", need, f"a block of {len(block)} parts")
            yield check.data(
                self.owner, *block, target="classes", missing=True, reset=number == 0, part=True
            )


@dataclass(frozen=True, eq=False)
class _OneClass:
    """Rows of a class, or of all."""

    source: _LabelledBlocks
    label: Any = None

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        for X, y, weight in self.source:
            if self.label is None:
                yield X, weight
                continue
            mine = y == self.label
            rows, held = _counted(X[mine], None if weight is None else weight[mine])
            if len(rows):
                yield rows, held


def _total(part: RowBlocks) -> float:
    """Sum of the weights."""
    return sum(float(len(rows) if held is None else held.sum()) for rows, held in part)


def _class_fit(
    blocks: RowBlocks, mine: ColumnTotals, settings: Settings, every: ColumnTotals
) -> PPCAFit:
    """The density of a class; columns that it never shows are as in all rows, and noisy."""
    seen, p = mine.weight > 0, len(mine.mean)
    usual = np.where(every.weight > 0, every.mean, 0.0)
    typical = float(every.variance.mean()) or 1.0
    if not seen.any():
        law = LatentNormal(usual, np.zeros((p, 0)), np.full(p, typical))
        return PPCAFit(law, _nothing(), ("a class without any observed value",))
    size = min(settings.n_components, max(int(seen.sum()) - 1, 0))
    shown = blocks if seen.all() else some(blocks, seen)
    fit = fit_of(shown, settings._replace(n_components=size))
    least = SHARE * typical
    noise = max(float(fit.law.noise[0]), least)
    mean, loadings = np.zeros(p), np.zeros((p, fit.law.loadings.shape[1]))
    mean[seen], loadings[seen] = fit.law.mean, fit.law.loadings
    variances = np.full(p, noise)
    repairs = fit.repairs
    if not seen.all():
        mean[~seen] = usual[~seen]
        variances[~seen] = typical
        repairs = (*repairs, "a class never shows some column: taken as in all rows")
    return PPCAFit(LatentNormal(mean, loadings, variances), fit.solution, repairs)


def _nothing() -> Solution:
    return Solution(np.empty(0), Status.CONVERGED, 1, 0.0, solver="closed form")
