"""Fisher's linear discriminant of two classes."""

import numpy as np
from scipy.linalg import eigh
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin.core import Card, Solution, Status, atomic, check, threads
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear._log_domain import log

_LOG_2PI = float(np.log(2 * np.pi))


class FisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GenerativeClassifier):
    r"""Best projection of two classes to a line, and Bayes' rule on it (linear.39, linear.41).

    The direction of unit length that maximises

    .. math:: J(w) = \frac{(w^\top (m_1 - m_2))^2}{w^\top S_W w}, \qquad
              w \propto S_W^{-1} (m_1 - m_2),

    where :math:`S_W` is the scatter within the classes, summed over both. On the line each class is
    a normal distribution with a mean and a variance of its own; together with the priors they are a
    mixture, and a row goes to its more probable component.

    Parameters
    ----------
    priors : array-like of shape (2,) or "uniform", optional
        Class priors; frequencies when absent.
    tol : float, default=1e-6
        Least standard deviation within the classes in any direction, relative to the largest, with
        columns in units of their own deviation: below it, :math:`S_W` counts as singular.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (2,)
        Labels and their priors.
    means_ : ndarray of shape (2, n_features)
        Class means.
    direction_ : ndarray of shape (n_features,)
        Direction of unit length, from the second class to the first.
    criterion_ : float
        :math:`J` of the direction; infinite if the classes are points on the line.
    projected_means_, projected_var_ : ndarray of shape (2,)
        Mean and variance of each class on the line.
    fit_report_ : FitReport
        Mean negative log likelihood on the line; a repair where the scatter was singular.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + p^3)` operations, no copy of the data.

    Examples
    --------
    >>> from margin.linear import FisherDiscriminant
    >>> X = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]
    >>> model = FisherDiscriminant().fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.direction_.round(8), round(model.criterion_, 6)
    (array([-0.70710678, -0.70710678]), 27.0)
    """

    card = Card(tasks=("classification",), cost="linear")

    def __init__(self, *, priors=None, tol=1e-6, n_jobs=None):
        self.priors = priors
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit direction, and means and variances on the line.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Two different labels.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, positive="tol")
        X, y, weight = check.data(self, X, y, sample_weight, target="classes")
        self.classes_, code = check.classes(self, y)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. {type(self).__name__}: y must hold 2 "
                f"classes, got {len(self.classes_)}"
            )
        stats = ClassScatter.of(X, code, 2, weight, n_threads=threads.count(self.n_jobs))
        if (stats.total == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        self.priors_ = class_priors(self, self.priors, stats.total)
        self.means_ = stats.mean
        repairs = self._direct(stats)
        self.fit_report_ = check.report(self, self._solution(stats, repairs))
        return self

    def _direct(self, stats):
        """Direction, then moments of the classes along it."""
        within = stats.scatter.sum(axis=0)
        gap = stats.mean[0] - stats.mean[1]
        share = stats.total[0] * stats.total[1] / stats.total.sum()
        scale = np.sqrt(within.diagonal() + share * gap**2)
        scale[scale == 0] = 1.0
        values, vectors = eigh(within / np.outer(scale, scale))
        least = self.tol**2 * max(values.max(), self.tol)
        rank = int(np.sum(values > least))
        repairs = []
        if rank < len(gap):
            repairs.append(
                f"the scatter within the classes has rank {rank} of {len(gap)}: the missing "
                f"variances were set to tol squared"
            )
        w = (vectors @ ((vectors.T @ (gap / scale)) / np.maximum(values, least))) / scale
        length = float(np.linalg.norm(w))
        if not length > 0:
            repairs.append("the means of the classes are equal: no direction separates them")
            w, length = np.eye(len(gap))[0], 1.0
        self.direction_ = w / length
        spread = np.einsum("i,kij,j->k", self.direction_, stats.scatter, self.direction_)
        apart = float(self.direction_ @ gap)
        noise = max(float(spread.sum()), 0.0)
        self.criterion_ = apart**2 / noise if noise > 0 else (np.inf if apart else 0.0)
        self.projected_means_ = stats.mean @ self.direction_
        self.projected_var_ = np.maximum(spread, 0.0) / stats.total
        overall = noise / stats.total.sum() + share / stats.total.sum() * apart**2
        floor = self.tol**2 * overall if overall > 0 else 1.0
        if (self.projected_var_ < floor).any():
            repairs.append("a class is a point on the line: its variance was raised")
            self.projected_var_ = np.maximum(self.projected_var_, floor)
        return tuple(repairs)

    def _solution(self, stats, repairs):
        spread = np.einsum("i,kij,j->k", self.direction_, stats.scatter, self.direction_)
        fit = 0.5 * stats.total * (_LOG_2PI + np.log(self.projected_var_))
        fit += 0.5 * np.maximum(spread, 0.0) / self.projected_var_
        fit -= stats.total * np.log(np.maximum(self.priors_, 1e-300))
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=float(fit.sum() / stats.total.sum()),
            solver="eigendecomposition of the scatter within the classes",
            repairs=repairs,
        )

    def transform(self, X):
        """Position of every row on the line, of shape (n_samples, 1)."""
        X = check.table(self, X)
        return (X @ self.direction_[:, None]).astype(X.dtype, copy=False)

    @property
    def _n_features_out(self):
        return 1

    def log_joint(self, X):
        """Logarithm of prior times density on the line, for every row and class."""
        line = check.table(self, X) @ self.direction_[:, None]
        away = (line - self.projected_means_) ** 2 / self.projected_var_
        constant = log(self.priors_) - 0.5 * (_LOG_2PI + np.log(self.projected_var_))
        return constant - 0.5 * away

    def decision_function(self, X):
        """Log-odds of the second class."""
        joint = self.log_joint(X)
        return joint[:, 1] - joint[:, 0]

    def _draw(self, code, rng):
        noise = np.sqrt(self.projected_var_)[code] * rng.standard_normal(len(code))
        return (self.projected_means_[code] + noise)[:, None]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
