"""What the naive Bayes classifiers share: counting, adding batches, priors, scores, sampling."""

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Blocks, Solution, Status, atomic, check, threads
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_labels import announced_labels, label_codes
from margin.linear._class_priors import class_priors
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear._labelled_blocks import block_labels, checked_blocks
from margin.linear._log_domain import log, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood

_LEAST_ALPHA = 1e-10


class NaiveBayes(GenerativeClassifier):
    r"""Columns independent given the class: :math:`p(x, y) = \pi_y \prod_j p(x_j \mid y)`.

    A fit is a sum over rows followed by a formula, so batches of rows add up exactly. A subclass
    gives the check of its parameters, the check of its rows, the sums and the formula.
    """

    @abstractmethod
    def _check_params(self) -> None:
        """Refuse bad parameters."""

    @abstractmethod
    def _check_rows(self, X: Any, *, fitting: bool) -> Any:
        """Rows in the form that is counted, after the checks every estimator makes."""

    @abstractmethod
    def _count(self, X: Any, members: Membership) -> Any:
        """Statistics of the rows of each class."""

    @abstractmethod
    def _estimate(self, stats: Any) -> tuple[ColumnLikelihood, tuple[str, ...]]:
        """Store the parameters under their public names; a likelihood of them, and repairs."""

    def _merge(self, old: Any, new: Any) -> Any:
        """Statistics of two batches of rows as those of all."""
        return old + new

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit class priors and the densities of the columns.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = self._check_data(X, y, sample_weight, reset=True)
        self.classes_, code = check.classes(self, y, least=1)
        members = Membership.hard(code, len(self.classes_), weight, self._n_threads)
        if (members.total == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        return self._absorb(self._count(self._check_rows(X, fitting=True), members), members.total)

    @atomic
    def partial_fit(
        self,
        X: Matrix,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of rows; the result is the fit to all rows seen so far.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), optional
            Every class there is; needed in the first call only.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        self._check_params()
        first = not hasattr(self, "classes_")
        X, y, weight = self._check_data(X, y, sample_weight, reset=first)
        known = None if first else self.classes_
        self.classes_ = announced_labels(self, known, classes, least=1)
        code = label_codes(self, self.classes_, y)
        members = Membership.hard(code, len(self.classes_), weight, self._n_threads)
        stats, total = self._count(self._check_rows(X, fitting=True), members), members.total
        if not first:
            stats, total = self._merge(self._stats, stats), self.class_count_ + total
        return self._absorb(stats, total)

    @atomic
    def fit_blocks(self, blocks: Any, classes: ArrayLike | None = None) -> Self:
        """Fit to rows that come in blocks, the same as to all of them in memory.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)``, from something that can be read again
            or from a function that opens it.
        classes : array-like of shape (n_classes,), optional
            Every class there is; left out, they are found in a pass of its own.

        Returns
        -------
        self
        """
        self._check_params()
        blocks = Blocks.of(self, blocks)
        labels = block_labels(self, blocks, classes, least=1)
        stats, total = None, np.zeros(len(labels))
        for X, y, weight in checked_blocks(self, blocks, **self._accepted):
            code = label_codes(self, labels, y)
            members = Membership.hard(code, len(labels), weight, self._n_threads)
            part = self._count(self._check_rows(X, fitting=True), members)
            stats = part if stats is None else self._merge(stats, part)
            total = total + members.total
        if (total == 0).any():
            raise check.fail(
                self, "blocks", "of rows with weight in every class", "a class without"
            )
        self.classes_ = labels
        return self._absorb(stats, total)

    def _check_data(
        self, X: Any, y: Any, sample_weight: Any, reset: bool
    ) -> tuple[Any, Array, Floats | None]:
        return check.data(self, X, y, sample_weight, reset=reset, **self._accepted)

    @property
    def _accepted(self) -> dict[str, Any]:
        """What the rows may be like."""
        tags = self.__sklearn_tags__().input_tags
        return {"target": "classes", "sparse": tags.sparse, "missing": tags.allow_nan}

    @property
    def _n_threads(self) -> int:
        return threads.count(getattr(self, "n_jobs", None))

    def _absorb(self, stats: Any, total: Floats) -> Self:
        """Parameters and report from statistics."""
        self._stats, self.class_count_ = stats, total
        self._log_prior = self._class_log_prior(total)
        self._columns, repairs = self._estimate(stats)
        fitted = self._columns.total_log_prob(stats) + weighted_sum(total, self._log_prior)
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=-fitted / max(float(total.sum()), np.finfo(float).tiny),
            solver="sums over the rows of each class",
            repairs=repairs,
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _class_log_prior(self, total: Floats) -> Floats:
        """From ``class_prior`` and ``fit_prior``, as scikit-learn's discrete models name them."""
        given = self.class_prior
        if given is None and not self.fit_prior:
            given = "uniform"
        return log(class_priors(self, given, total, "class_prior"))

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, for every row and class."""
        tags = self.__sklearn_tags__().input_tags
        X = check.table(self, X, sparse=tags.sparse, missing=tags.allow_nan)
        scores = self._columns.log_prob(self._check_rows(X, fitting=False))
        scores += self._log_prior
        return scores

    def predict_joint_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of prior times density, :meth:`log_joint` by scikit-learn's name."""
        return self.log_joint(X)

    def _class_shares(self) -> Floats:
        return np.asarray(np.exp(self._log_prior))

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        return self._columns.sample(code, rng)


def pseudo_counts(owner: object, alpha: Any, n_features: int, *, force: bool = True) -> Any:
    """The parameter ``alpha`` of a discrete model: a number, or one for each column.

    Unless it is to be taken as it is (``force``), what is below :math:`10^{-10}` is raised to it,
    with a warning.
    """
    requirement = f"a number of at least 0, or {n_features} of them"
    try:
        counts = np.asarray(alpha, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, "alpha", requirement, alpha) from None
    if counts.shape not in ((), (n_features,)) or not np.all((counts >= 0) & (counts < np.inf)):
        error = check.fail(owner, "alpha", requirement, alpha)
        raise ValueError(f"{error} (All values in alpha must be greater than 0.)")
    if not force and counts.min() < _LEAST_ALPHA:
        warnings.warn(
            f"{check.named(owner)}: alpha too small will result in numeric errors, setting "
            f"alpha = {_LEAST_ALPHA:.1e}; force_alpha=True keeps it as it is",
            UserWarning,
            stacklevel=6,
        )
        counts = np.maximum(counts, _LEAST_ALPHA)
    return counts if counts.ndim else float(counts)


def refuse_negative(owner: object, least: float) -> None:
    """Refuse a table whose least entry is negative."""
    if least < 0:
        error = check.fail(owner, "X", "at least 0 everywhere", float(least))
        why = f"Negative values in data passed to {check.named(owner)} (input X)"
        raise ValueError(f"{error} ({why})")
