"""Linear discriminant analysis."""

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin.core import Card, Solution, Status, atomic, best_label, check, threads
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear.discriminant._block_classes import block_scatter, refuse_rows
from margin.linear.discriminant._covariance_shrinkage import Shrinkage, shrinking, shrunk
from margin.linear.discriminant._estimated_covariance import check_covariance, estimated_covariances
from margin.linear.discriminant._gaussian_classes import class_scatter
from margin.linear.discriminant._linear_rule import (
    LinearRule,
    expected_rows,
    linear_rule,
    observed_scores,
    shrunk_rule,
)
from margin.linear.discriminant._row_span import centred_rows


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, GenerativeClassifier
):
    r"""Gaussian classes with one covariance (linear.36), and their projection (linear.40).

    The model is :math:`x \mid k \sim N(\mu_k, \Sigma)` with priors :math:`\pi_k`, so the posterior
    is a softmax of linear scores

    .. math:: \mu_k^\top \Sigma^{-1} x - \tfrac12 \mu_k^\top \Sigma^{-1} \mu_k + \log \pi_k .

    :math:`\Sigma` is the pooled within-class scatter divided by the number of rows. ``transform``
    projects on the directions that separate the means best in units of :math:`\Sigma`; directions
    in which no class varies are left out. NaN is unobserved: it is integrated out in the fit, by
    expectation maximisation, and in predictions.

    Parameters
    ----------
    solver : {"auto", "svd", "lsqr", "eigen"}, default="auto"
        One engine, an eigendecomposition of the scaled scatter, serves all. Asked for by name,
        ``"svd"`` refuses ``shrinkage`` and ``covariance_estimator`` and ``"lsqr"`` refuses
        ``transform``, as in scikit-learn.
    shrinkage : None, "auto" or float, default=None
        Shrinkage of :math:`\Sigma` towards a multiple of the identity; ``"auto"`` is Ledoit and
        Wolf's, for complete rows.
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent. Others than of sum one are scaled, with a warning.
    n_components : int, optional
        Dimension of the projection, at most ``min(n_classes - 1, n_features)``.
    store_covariance : bool, default=False
        Without effect: the fit needs ``covariance_``, which is always kept.
    tol : float, default=1e-4
        Directions whose standard deviation is below ``tol`` times the largest count as constant.
    covariance_estimator : covariance estimator, optional
        Estimates the covariance of each class, in place of ``shrinkage``; :math:`\Sigma` is their
        mean, weighted by the priors. For complete rows without weights.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
        Labels and their priors.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    covariance_ : ndarray of shape (n_features, n_features)
        Shared covariance.
    coef_ : ndarray of shape (n_features,) rows, one per class, or one for two classes
        Coefficients of the scores; for two classes of their difference.
    intercept_ : ndarray
        Constants of the scores.
    xbar_ : ndarray of shape (n_features,)
        Overall mean, weighted by the priors.
    scalings_ : ndarray of shape (n_features, n_directions)
        Projection to discriminant coordinates; at most ``rank_`` of them, of few rows of many
        columns only those that the rows span.
    rank_ : int
        Directions in which classes vary.
    explained_variance_ratio_ : ndarray
        Share of the between-class variance along each coordinate.
    fit_report_ : FitReport
        Negative log likelihood per row, of its observed values.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + p^3)` operations, two reads of the data, no copy. With NaN that much for every
    set of observed columns, a few dozen times.

    Examples
    --------
    >>> from margin.linear import LinearDiscriminantAnalysis
    >>> X = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]
    >>> model = LinearDiscriminantAnalysis().fit(X, [0, 0, 0, 1, 1, 1])
    >>> (model.coef_ / abs(model.coef_).max()).round(6)
    array([[1., 1.]])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"shrinkage": [None, "auto", 0.5]},
    )

    def __init__(
        self,
        solver: Literal["auto", "svd", "lsqr", "eigen"] = "auto",
        shrinkage: Shrinkage = None,
        priors: ArrayLike | str | None = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
        *,
        n_jobs: int | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit means, covariance and projection.

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
        X, y, weight = check.data(self, X, y, sample_weight, target="classes", missing=True)
        estimator = self.covariance_estimator
        check_covariance(self, self.solver, self.shrinkage, estimator, X, weight)
        labels, code = check.classes(self, y)
        most = self._most_components(len(code), len(labels), X.shape[1])
        totals = np.bincount(code, weights=weight).astype(np.float64)
        if (totals == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        priors = class_priors(self, self.priors, totals, rescale=True)

        stats, completion = class_scatter(
            X,
            code,
            len(labels),
            weight,
            pooled=True,
            floor=self.tol**2,
            n_threads=threads.count(self.n_jobs),
        )
        rows = None
        if estimator is None:
            scatter = stats.scatter[0] / stats.total.sum()
            mix = shrinking(scatter, self.shrinkage, lambda: X - stats.mean[code])
            covariance = mix.of(scatter)
            rows = centred_rows(X, code, stats.mean, weight, complete=completion is None)
            rows = None if rows is None else rows / np.sqrt(stats.total.sum())
        else:
            each = estimated_covariances(self, estimator, X, code)
            covariance = np.einsum("k,kij->ij", priors, each)
        rule = None
        if rows is not None and self.shrinkage is not None:
            variances = covariance.diagonal()
            rule = shrunk_rule(stats.mean, variances, priors, self.tol, rows, mix)
            rows = None
        if rule is None:
            rule = linear_rule(stats.mean, covariance, priors, self.tol, rows)

        self.classes_, self.priors_ = labels, priors
        return self._store(stats, covariance, rule, completion, most, X.dtype)

    @atomic
    def fit_blocks(self, blocks: Any, classes: ArrayLike | None = None) -> Self:
        """Fit to rows that come in blocks, the same as to all of them in memory.

        Sums over the rows of a class are all that is kept: there must be no NaN, and neither
        ``shrinkage="auto"`` nor a ``covariance_estimator``, which need the rows themselves.

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
        refuse_rows(self, self.shrinkage, self.covariance_estimator)
        labels, stats, n_rows = block_scatter(self, blocks, classes, pooled=True)
        most = self._most_components(n_rows, len(labels), stats.mean.shape[1])
        priors = class_priors(self, self.priors, stats.total, rescale=True)
        covariance = shrunk(stats.scatter[0] / stats.total.sum(), self.shrinkage, None)
        rule = linear_rule(stats.mean, covariance, priors, self.tol, None)

        self.classes_, self.priors_ = labels, priors
        return self._store(stats, covariance, rule, None, most, np.dtype(np.float64))

    def _check_params(self) -> None:
        solvers = ("auto", "svd", "lsqr", "eigen")
        check.params(self, positive="tol", flag="store_covariance", one_of={"solver": solvers})

    def _most_components(self, n_rows: int, n_classes: int, n_features: int) -> int:
        """Dimension of the projection, if rows and parameters allow one."""
        if n_rows == n_classes:
            raise ValueError(
                f"{type(self).__name__}: X must hold more samples than classes, got {n_rows} "
                f"samples of {n_classes} classes (The number of samples must be more than the "
                "number of classes)"
            )
        most = min(n_classes - 1, n_features)
        if self.n_components is None:
            return most
        check.params(self, count="n_components")
        if self.n_components > most:
            error = check.fail(self, "n_components", f"at most {most} here", self.n_components)
            why = "n_components cannot be larger than min(n_features, n_classes - 1)"
            raise ValueError(f"{error} ({why})")
        return self.n_components

    def _store(
        self,
        stats: ClassScatter,
        covariance: Floats,
        rule: LinearRule,
        completion: Solution | None,
        most: int,
        dtype: Any,
    ) -> Self:
        self.means_, self.covariance_ = stats.mean, covariance
        self.rank_, self.xbar_, self.scalings_ = rule.rank, rule.centre, rule.scalings
        power = rule.power / max(float(np.sum(rule.power)), np.finfo(float).tiny)
        self.explained_variance_ratio_ = power[:most]
        coef, intercept = rule.coef, rule.intercept
        if len(self.classes_) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        self.coef_, self.intercept_ = coef.astype(dtype), intercept.astype(dtype)
        scatter = stats.scatter[0] / stats.total.sum()
        self.fit_report_ = check.report(self, _solution(scatter, rule, completion))
        return self

    def decision_function(self, X: Matrix) -> Array:
        """Log-odds of the second class for two classes, else one score per class."""
        return self._scores(check.table(self, X, missing=True))

    def _scores(self, X: Array) -> Array:
        scores = X @ self.coef_.T + self.intercept_
        if np.isnan(scores).any():
            holes = np.isnan(X).any(axis=1)
            model = self.means_, self.covariance_, self.priors_, self.tol
            marginal = observed_scores(X[holes], *model)
            two = len(self.classes_) == 2
            scores[holes] = marginal[:, 1:] - marginal[:, :1] if two else marginal
        return np.asarray(scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict(self, X: Matrix) -> Array:
        """Most probable class of each row."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def log_joint(self, X: Matrix) -> Floats:
        """Scores of the classes, up to a constant per row."""
        return self._joint(self.decision_function(X))

    def _joint(self, scores: Array) -> Floats:
        if scores.ndim == 1:
            return np.column_stack([np.zeros_like(scores), scores])
        return scores

    def transform(self, X: Matrix) -> Array:
        """Coordinates along the discriminant directions, best first; expected ones of NaN."""
        if self.solver == "lsqr":
            need = "'auto', 'svd' or 'eigen': transform not implemented for 'lsqr' solver"
            raise check.unserved(self, "solver", need, self.solver)
        X = check.table(self, X, missing=True)
        rows = X
        if np.isnan(X).any():
            joint = self._joint(self._scores(X))
            belief = np.exp(joint - joint.max(axis=1, keepdims=True))
            belief /= belief.sum(axis=1, keepdims=True)
            model = self.means_, self.covariance_, self.priors_, self.tol
            rows = expected_rows(X, belief, *model)
        projected = (rows - self.xbar_) @ self.scalings_[:, : self._n_features_out]
        return np.asarray(projected.astype(X.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.explained_variance_ratio_)

    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        noise = rng.multivariate_normal(
            np.zeros(len(self.xbar_)), self.covariance_, size=len(code), method="eigh"
        )
        return np.asarray(self.means_[code] + noise)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _solution(scatter: Floats, rule: LinearRule, completion: Solution | None) -> Solution:
    """Mean negative log likelihood of the Gaussians, in the directions kept."""
    if completion is not None:
        return replace(completion, x=np.empty(0))
    fit = float(np.sum((scatter @ rule.whiten) * rule.whiten))
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=0.5 * (fit + rule.log_det + rule.rank * np.log(2 * np.pi)),
        solver="eigendecomposition of the pooled scatter",
    )
