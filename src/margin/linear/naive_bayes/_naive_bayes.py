"""What the naive Bayes classifiers share: counting, adding batches, priors, scores, sampling."""

from abc import abstractmethod

import numpy as np

from margin.core import Solution, Status, atomic, check, threads
from margin.linear._generative import GenerativeClassifier, class_priors
from margin.linear._membership import Membership
from margin.linear.naive_bayes._count_columns import log, weighted_sum


class NaiveBayes(GenerativeClassifier):
    r"""Columns independent given the class: :math:`p(x, y) = \pi_y \prod_j p(x_j \mid y)`.

    A fit is a sum over rows followed by a formula, so batches of rows add up exactly. A subclass
    gives the check of its parameters, the check of its rows, the sums and the formula.
    """

    @abstractmethod
    def _check_params(self):
        """Refuse bad parameters."""

    @abstractmethod
    def _check_rows(self, X, *, fitting):
        """Rows in the form that is counted, after the checks every estimator makes."""

    @abstractmethod
    def _count(self, X, members):
        """Statistics of the rows of each class."""

    @abstractmethod
    def _estimate(self, stats):
        """Store the parameters under their public names; return them as a likelihood."""

    def _merge(self, old, new):
        return old + new

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        self.classes_, code = check.classes(self, y)
        members = Membership.hard(code, len(self.classes_), weight, self._n_threads)
        if (members.total == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        return self._absorb(self._count(self._check_rows(X, fitting=True), members), members.total)

    @atomic
    def partial_fit(self, X, y, classes=None, sample_weight=None):
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
        self._check_classes(classes, first)
        code = np.searchsorted(self.classes_, y)
        unknown = self.classes_[np.minimum(code, len(self.classes_) - 1)] != y
        if np.any(unknown):
            raise check.fail(self, "y", f"among the classes {self.classes_}", np.unique(y[unknown]))
        members = Membership.hard(code, len(self.classes_), weight, self._n_threads)
        stats, total = self._count(self._check_rows(X, fitting=True), members), members.total
        if not first:
            stats, total = self._merge(self._stats, stats), self.class_count_ + total
        return self._absorb(stats, total)

    def _check_classes(self, classes, first):
        if first and classes is None:
            raise ValueError(
                f"{type(self).__name__}: classes must be passed on the first call to partial_fit."
            )
        if first:
            self.classes_ = np.unique(classes)
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise check.fail(self, "classes", f"the same as before, {self.classes_}", classes)

    def _check_data(self, X, y, sample_weight, reset):
        tags = self.__sklearn_tags__().input_tags
        return check.data(
            self,
            X,
            y,
            sample_weight,
            target="classes",
            sparse=tags.sparse,
            missing=tags.allow_nan,
            reset=reset,
        )

    @property
    def _n_threads(self):
        return threads.count(getattr(self, "n_jobs", None))

    def _absorb(self, stats, total):
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

    def _class_log_prior(self, total):
        """From ``class_prior`` and ``fit_prior``, as scikit-learn's discrete models name them."""
        given = self.class_prior
        if given is None and not self.fit_prior:
            given = "uniform"
        return log(class_priors(self, given, total, "class_prior"))

    def log_joint(self, X):
        """Logarithm of prior times density, for every row and class."""
        tags = self.__sklearn_tags__().input_tags
        X = check.table(self, X, sparse=tags.sparse, missing=tags.allow_nan)
        scores = self._columns.log_prob(self._check_rows(X, fitting=False))
        scores += self._log_prior
        return scores

    def _class_shares(self):
        return np.exp(self._log_prior)

    def _draw(self, code, rng):
        return self._columns.sample(code, rng)


def pseudo_counts(estimator, n_features):
    """The parameter ``alpha`` of a discrete model: a number, or one for each column."""
    requirement = f"a number of at least 0, or {n_features} of them"
    try:
        alpha = np.asarray(estimator.alpha, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(estimator, "alpha", requirement, estimator.alpha) from None
    if alpha.shape not in ((), (n_features,)) or not np.all((alpha >= 0) & (alpha < np.inf)):
        raise check.fail(estimator, "alpha", requirement, estimator.alpha)
    if not estimator.force_alpha:
        alpha = np.maximum(alpha, 1e-10)
    return alpha if alpha.ndim else float(alpha)


def refuse_negative(estimator, least):
    """Refuse a table whose least entry is negative."""
    if least < 0:
        raise ValueError(
            f"{type(estimator).__name__}: X must be at least 0 everywhere, got {float(least)!r} "
            f"(Negative values in data)"
        )
