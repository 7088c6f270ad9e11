"""Linear discriminant analysis."""

import numpy as np
from scipy.linalg import eigh, svd
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin.core import Card, Solution, Status, atomic, check, threads
from margin.linear._class_priors import class_priors
from margin.linear._class_statistics import ClassScatter
from margin.linear._generative_classifier import GenerativeClassifier
from margin.linear.discriminant._covariance_shrinkage import check_shrinkage, shrunk


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, GenerativeClassifier
):
    r"""Gaussian classes with one covariance (linear.36), and their projection (linear.40).

    The model is :math:`x \mid k \sim N(\mu_k, \Sigma)` with priors :math:`\pi_k`, so the posterior
    is a softmax of linear scores

    .. math:: \mu_k^\top \Sigma^{-1} x - \tfrac12 \mu_k^\top \Sigma^{-1} \mu_k + \log \pi_k .

    :math:`\Sigma` is the pooled within-class scatter divided by the number of rows. ``transform``
    projects on the directions that separate the means best in units of :math:`\Sigma`; directions
    in which no class varies are left out.

    Parameters
    ----------
    solver : {"auto", "svd", "lsqr", "eigen"}, default="auto"
        Accepted for compatibility; one engine, an eigendecomposition of the scaled scatter, serves
        all.
    shrinkage : None, "auto" or float, default=None
        Shrinkage of :math:`\Sigma` towards a multiple of the identity; ``"auto"`` is Ledoit and
        Wolf's.
    priors : array-like of shape (n_classes,) or "uniform", optional
        Class priors; frequencies when absent.
    n_components : int, optional
        Dimension of the projection, at most ``min(n_classes - 1, n_features)``.
    tol : float, default=1e-4
        Directions whose standard deviation is below ``tol`` times the largest count as constant.
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
    scalings_ : ndarray of shape (n_features, rank)
        Projection to discriminant coordinates.
    rank_ : int
        Directions in which classes vary.
    explained_variance_ratio_ : ndarray
        Share of the between-class variance along each coordinate.
    fit_report_ : FitReport
        Negative log likelihood per row.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + p^3)` operations, two reads of the data, no copy.

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
        *,
        solver="auto",
        shrinkage=None,
        priors=None,
        n_components=None,
        tol=1e-4,
        n_jobs=None,
    ):
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.tol = tol
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        check.params(self, positive="tol", one_of={"solver": ("auto", "svd", "lsqr", "eigen")})
        check_shrinkage(self)
        X, y, weight = check.data(self, X, y, sample_weight, target="classes")
        self.classes_, code = check.classes(self, y)
        self._check_sizes(X, code)
        totals = np.bincount(code, weights=weight).astype(np.float64)
        if (totals == 0).any():
            raise check.fail(self, "sample_weight", "above 0 in every class", "a class without")
        self.priors_ = class_priors(self, self.priors, totals)
        n_threads = threads.count(self.n_jobs)
        stats = ClassScatter.of(
            X, code, len(self.classes_), weight, pooled=True, n_threads=n_threads
        )
        covariance = stats.scatter[0] / stats.total.sum()
        self.means_ = stats.mean
        self.covariance_ = shrunk(covariance, self.shrinkage, lambda: X - stats.mean[code])
        whiten, log_det = self._solve(X.dtype)
        self.fit_report_ = check.report(self, self._solution(covariance, whiten, log_det))
        return self

    def _check_sizes(self, X, code):
        n, k = len(code), len(self.classes_)
        if n == k:
            raise ValueError(
                f"{type(self).__name__}: X must hold more samples than classes, got {n} samples "
                f"of {k} classes"
            )
        most = min(k - 1, X.shape[1])
        if self.n_components is not None:
            check.params(self, count="n_components")
            if self.n_components > most:
                raise check.fail(self, "n_components", f"at most {most} here", self.n_components)
        self._max_components = most if self.n_components is None else self.n_components

    def _solve(self, dtype):
        """Whiten by the covariance, then rotate so that the means spread along the axes."""
        scale = np.sqrt(self.covariance_.diagonal())
        scale = np.where(scale > 0, scale, 1.0)
        values, vectors = eigh(self.covariance_ / np.outer(scale, scale))
        keep = values > self.tol**2 * max(values.max(initial=0.0), 0.0)
        self.rank_ = int(keep.sum())
        whiten = vectors[:, keep] / (scale[:, None] * np.sqrt(values[keep]))
        self.xbar_ = self.priors_ @ self.means_
        spread = (self.means_ - self.xbar_) @ whiten
        _, size, axes = svd(np.sqrt(self.priors_)[:, None] * spread, full_matrices=False)
        self.scalings_ = whiten @ axes.T
        most = min(self._max_components, len(size))
        power = size**2 / max(float(np.sum(size**2)), np.finfo(float).tiny)
        self.explained_variance_ratio_ = power[:most]
        coef = spread @ whiten.T
        intercept = np.log(np.maximum(self.priors_, 1e-300)) - 0.5 * np.sum(spread**2, axis=1)
        intercept = intercept - coef @ self.xbar_
        if len(self.classes_) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        self.coef_, self.intercept_ = coef.astype(dtype), intercept.astype(dtype)
        return whiten, float(np.sum(np.log(values[keep]))) + 2.0 * float(np.sum(np.log(scale)))

    def _solution(self, covariance, whiten, log_det):
        """Mean negative log likelihood of the Gaussians, in the directions kept."""
        fit = float(np.sum((covariance @ whiten) * whiten))
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=0.5 * (fit + log_det + self.rank_ * np.log(2 * np.pi)),
            solver="eigendecomposition of the pooled scatter",
        )

    def decision_function(self, X):
        """Log-odds of the second class for two classes, else one score per class."""
        X = check.table(self, X)
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def log_joint(self, X):
        """Scores of the classes, up to a constant per row."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([np.zeros_like(scores), scores])
        return scores

    def transform(self, X):
        """Coordinates along the discriminant directions, best first."""
        X = check.table(self, X)
        return ((X - self.xbar_) @ self.scalings_[:, : self._n_features_out]).astype(X.dtype)

    @property
    def _n_features_out(self):
        return len(self.explained_variance_ratio_)

    def _draw(self, code, rng):
        noise = rng.multivariate_normal(
            np.zeros(len(self.xbar_)), self.covariance_, size=len(code), method="eigh"
        )
        return self.means_[code] + noise
