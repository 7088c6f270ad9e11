"""Fisher's linear discriminant of two classes."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin.core import Card, Solution, Status, atomic, check, threads
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear._log_domain import log
from margin.linear.discriminant._row_span import centred_rows, spectrum

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
    :math:`O(n p^2 + p^3)` operations, no copy of the data; :math:`O(n p^2)` for few rows of many
    columns.

    Examples
    --------
    >>> from margin.linear import FisherDiscriminant
    >>> X = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]
    >>> model = FisherDiscriminant().fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.direction_.round(8), round(model.criterion_, 6)
    (array([-0.70710678, -0.70710678]), 27.0)
    """

    card = Card(tasks=("classification",), cost="linear")

    def __init__(
        self,
        *,
        priors: ArrayLike | str | None = None,
        tol: float = 1e-6,
        n_jobs: int | None = None,
    ) -> None:
        self.priors = priors
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
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
        labels, code = check.classes(self, y)
        if len(labels) > 2:
            raise ValueError(
                f"Only binary classification is supported. {type(self).__name__}: y must hold 2 "
                f"classes, got {len(labels)}"
            )
        unit = 1.0
        if weight is not None and weight.max(initial=0.0) > 0:
            # Squares of the weights must be numbers; a power of two costs no digit.
            unit = float(2.0 ** np.floor(np.log2(weight.max())))
            weight = weight / unit
        stats = ClassScatter.of(X, code, 2, weight, n_threads=threads.count(self.n_jobs))
        if (stats.total == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        line = best_line(stats, self.tol, centred_rows(X, code, stats.mean, weight, complete=True))

        self.classes_, self.means_ = labels, stats.mean
        self.priors_ = class_priors(self, self.priors, stats.total)
        self.direction_, self.criterion_ = line.direction, line.criterion / unit
        self.projected_means_, self.projected_var_ = line.means, line.variances
        self.fit_report_ = check.report(self, _solution(stats, line, self.priors_))
        return self

    def transform(self, X: Matrix) -> Array:
        """Position of every row on the line, of shape (n_samples, 1)."""
        X = check.table(self, X)
        return np.asarray((X @ self.direction_[:, None]).astype(X.dtype, copy=False))

    @property
    def _n_features_out(self) -> int:
        return 1

    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of prior times density on the line, for every row and class."""
        line = check.table(self, X) @ self.direction_[:, None]
        away = (line - self.projected_means_) ** 2 / self.projected_var_
        constant = log(self.priors_) - 0.5 * (_LOG_2PI + np.log(self.projected_var_))
        return np.asarray(constant - 0.5 * away)

    def decision_function(self, X: Matrix) -> Floats:
        """Log-odds of the second class."""
        joint = self.log_joint(X)
        return np.asarray(joint[:, 1] - joint[:, 0])

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        noise = np.sqrt(self.projected_var_)[code] * rng.standard_normal(len(code))
        return np.asarray((self.projected_means_[code] + noise)[:, None])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


@dataclass(frozen=True)
class Line:
    """The direction that separates two classes best, and the classes along it.

    Parameters
    ----------
    direction : ndarray of shape (p,)
        Of unit length, from the second class to the first.
    criterion : float
        Squared distance of the means on the line over the scatter within the classes.
    means, variances : ndarray of shape (2,)
        Of the classes on the line.
    spread : ndarray of shape (2,)
        Scatter of the classes on the line.
    repairs : tuple of str
    """

    direction: Floats
    criterion: float
    means: Floats
    variances: Floats
    spread: Floats
    repairs: tuple[str, ...]


def best_line(stats: ClassScatter, tol: float, rows: Floats | None = None) -> Line:
    """Direction, then moments of the classes along it; ``rows`` make the scatter, if few."""
    gap = stats.mean[0] - stats.mean[1]
    direction, repairs = _direction(stats, gap, tol, rows)
    share = stats.total[0] * stats.total[1] / stats.total.sum()
    spread = np.einsum("i,kij,j->k", direction, stats.scatter, direction)
    apart = float(direction @ gap)
    noise = max(float(spread.sum()), 0.0)
    criterion = apart**2 / noise if noise > 0 else (np.inf if apart else 0.0)
    variances = np.maximum(spread, 0.0) / stats.total
    overall = noise / stats.total.sum() + share / stats.total.sum() * apart**2
    floor = tol**2 * overall if overall > 0 else 1.0
    if (variances < floor).any():
        repairs = (*repairs, "a class is a point on the line: its variance was raised")
        variances = np.maximum(variances, floor)
    return Line(direction, criterion, stats.mean @ direction, variances, spread, repairs)


def _direction(
    stats: ClassScatter, gap: Floats, tol: float, rows: Floats | None
) -> tuple[Floats, tuple[str, ...]]:
    within = stats.scatter.sum(axis=0)
    share = stats.total[0] * stats.total[1] / stats.total.sum()
    scale = np.sqrt(within.diagonal() + share * gap**2)
    scale[scale == 0] = 1.0
    values, vectors = spectrum(within, scale, rows)
    least = tol**2 * max(values.max(), tol)
    rank = int(np.sum(values > least))
    repairs: tuple[str, ...] = ()
    if rank < len(gap):
        repairs = (
            f"the scatter within the classes has rank {rank} of {len(gap)}: the missing "
            f"variances were set to tol squared",
        )
    inside = vectors.T @ (gap / scale)
    w = vectors @ (inside / np.maximum(values, least))
    if len(values) < len(gap):  # the rows span a part of the space
        w += (gap / scale - vectors @ inside) / least
    w /= scale
    length = float(np.linalg.norm(w))
    if length > 0:
        return w / length, repairs
    repairs = (*repairs, "the means of the classes are equal: no direction separates them")
    return np.eye(len(gap))[0], repairs


def _solution(stats: ClassScatter, line: Line, priors: Floats) -> Solution:
    """Mean negative log joint likelihood on the line."""
    fit = 0.5 * stats.total * (_LOG_2PI + np.log(line.variances))
    fit += 0.5 * np.maximum(line.spread, 0.0) / line.variances
    fit -= stats.total * np.log(np.maximum(priors, 1e-300))
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=float(fit.sum() / stats.total.sum()),
        solver="eigendecomposition of the scatter within the classes",
        repairs=line.repairs,
    )
