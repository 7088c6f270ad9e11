"""Canonical correlation analysis in the feature spaces of kernels."""

from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_array

from margin import kernels, linalg
from margin.core import Card, atomic, check, threads
from margin.core.types import Array, Floats
from margin.decomposition._closed_form import closed_form
from margin.decomposition.correlation._canonical import canonical_pairs
from margin.decomposition.correlation._standard_table import standard_table

_NAMES = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian")


class KernelCCA(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    RegressorMixin,
    MultiOutputMixin,
    BaseEstimator,
):
    r"""Canonical correlations of functions of two tables (decomposition.11).

    .. math:: \max_{f, g} \operatorname{cov}(f(x), g(y)) \quad \text{s.t.} \quad
              \operatorname{var} f(x) + \alpha \|f\|^2 = 1, \;
              \operatorname{var} g(y) + \alpha \|g\|^2 = 1

    with :math:`f` and :math:`g` in the spaces of two kernels. Without ``alpha`` any two tables of
    different rows correlate perfectly, so it must be above zero. With linear kernels it is
    :class:`CCA`.

    Parameters
    ----------
    n_components : int, default=2
        Pairs of functions.
    kernel : str, Kernel or callable, default="rbf"
        Kernel of ``X``: "linear", "poly", "rbf", "sigmoid", "cosine" or "laplacian" by name.
    y_kernel : str, Kernel or callable, default="linear"
        Kernel of ``y``, of the same.
    gamma : float, optional
        Coefficient of "poly", "rbf", "sigmoid" and "laplacian" kernels of either table; one over
        the columns by default.
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=1.0
        Constant of "poly" and "sigmoid".
    alpha : float, default=0.1
        Price of the norm of a function, above zero.
    scale : bool, default=True
        Whether columns are divided by their standard deviation first.
    n_jobs : int, optional
        Threads that fill kernel matrices, all by default.

    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        Regularised correlations, largest first.
    x_dual_coef_, y_dual_coef_ : ndarray of shape (n_samples, n_components)
        Coefficients of the functions on the centred kernels of the rows.
    fit_report_ : FitReport
        Minus the sum of the correlations as its objective.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Two eigenproblems of the size of the rows, :math:`O(n^3)`. ``predict`` regresses ``y`` on the
    functions of ``X``.

    References
    ----------
    F. Bach and M. Jordan, Kernel independent component analysis (2002), section 3.

    Examples
    --------
    The square of a number does not correlate with it, a function of it does.

    >>> import numpy as np
    >>> from margin.decomposition import CCA, KernelCCA
    >>> x = np.linspace(-1, 1, 41)[:, None]
    >>> round(float(CCA(1).fit(x, x**2).correlations_[0]), 6)
    0.0
    >>> bool(KernelCCA(n_components=1, alpha=1e-3).fit(x, x**2).correlations_[0] > 0.9)
    True
    """

    card = Card(
        tasks=("regression",),
        cost="cubic",
        max_rows=3_000,
        search_space={"alpha": (1e-3, 1.0, "log")},
        on_request=True,
    )

    def __init__(
        self,
        *,
        n_components: int = 2,
        kernel: Any = "rbf",
        y_kernel: Any = "linear",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        alpha: float = 0.1,
        scale: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.y_kernel = y_kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.scale = scale
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any) -> Self:
        """Find the pairs of functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        self
        """
        self._check_params()
        X, y, _ = check.data(self, X, y, multi_output=True)
        self._flat, self._dtype = y.ndim == 1, X.dtype.name
        Y = y[:, None] if y.ndim == 1 else y
        if self.n_components > len(X):
            raise check.fail(
                self, "n_components", f"at most the {len(X)} samples", self.n_components
            )
        x = standard_table(X.astype(np.float64), None, self.scale)
        t = standard_table(Y, None, self.scale)
        self._x, self._y = (x.mean, x.scale), (t.mean, t.scale)
        self._rows, self._targets = x.rows, t.rows
        self._kernels = self._resolved("kernel", x.rows), self._resolved("y_kernel", t.rows)
        # The features of a kernel on its own rows: columns of length root of the eigenvalue.
        K, L = (self._matrix(i, rows) for i, rows in enumerate((x.rows, t.rows)))
        self._K, self._L = K.mean(axis=0), L.mean(axis=0)
        left, x_map = _features(K)
        right, y_map = _features(L)
        k = int(self.n_components)
        pairs = canonical_pairs(left, right, float(len(X)), k, float(self.alpha))
        scores = left @ pairs.x_directions
        # Bases of feature spaces are arbitrary, the tails of the scores are not.
        signs = np.where((scores**3).sum(axis=0) < 0, -1.0, 1.0)
        scores = scores * signs
        self.correlations_ = pairs.correlations
        self.x_dual_coef_ = x_map @ pairs.x_directions * signs
        self.y_dual_coef_ = y_map @ pairs.y_directions * signs
        self._slopes = linalg.lstsq(scores, t.rows)
        self._n_features_out = k
        told = closed_form(-float(pairs.correlations.sum()), "eigenvectors of kernels")
        self.fit_report_ = check.report(self, told)
        return self

    def _check_params(self) -> None:
        check.params(self, count="n_components degree", positive="alpha", flag="scale")
        if self.gamma is not None:
            check.params(self, positive="gamma")
        if isinstance(self.coef0, bool) or not isinstance(self.coef0, int | float):
            raise check.fail(self, "coef0", "a number", self.coef0)
        for name in ("kernel", "y_kernel"):
            value = getattr(self, name)
            known = isinstance(value, kernels.Kernel) or callable(value)
            if not known and not (isinstance(value, str) and value in _NAMES):
                wanted = f"a Kernel, a callable or one of {', '.join(map(repr, _NAMES))}"
                raise check.fail(self, name, wanted, value)

    def _resolved(self, name: str, rows: Floats) -> Any:
        gamma = 1.0 / rows.shape[1] if self.gamma is None else float(self.gamma)
        return kernels.resolve(
            getattr(self, name), gamma=gamma, degree=self.degree, coef0=self.coef0, X=rows
        )

    def _matrix(self, which: int, rows: Floats, others: Floats | None = None) -> Floats:
        n_threads = threads.count(self.n_jobs)
        return np.asarray(self._kernels[which](rows, others, n_threads=n_threads), dtype=np.float64)

    def transform(self, X: Any, y: Any = None) -> Any:
        """Values of the functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional

        Returns
        -------
        x_scores : ndarray of shape (n_samples, n_components)
        y_scores : ndarray of shape (n_samples, n_components)
            Only where ``y`` is given.
        """
        X = check.table(self, X)
        scores = self._scores(0, (X - self._x[0]) / self._x[1]).astype(X.dtype)
        if y is None:
            return scores
        y = check_array(y, ensure_2d=False, dtype=check.FLOATS, input_name="y")
        y = y.reshape(-1, 1) if y.ndim == 1 else y
        return scores, self._scores(1, (y - self._y[0]) / self._y[1]).astype(X.dtype)

    def _scores(self, which: int, rows: Floats) -> Floats:
        fitted, means, dual = (
            (self._rows, self._K, self.x_dual_coef_),
            (self._targets, self._L, self.y_dual_coef_),
        )[which]
        K = self._matrix(which, np.ascontiguousarray(rows, dtype=np.float64), fitted)
        centred = K - K.mean(axis=1, keepdims=True) - means + means.mean()
        return np.asarray(centred @ dual)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and the values of the functions of ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y).transform(X)

    def predict(self, X: Any) -> Array:
        """Least-squares prediction of ``y`` from the functions of ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        values = np.asarray(self.transform(X), dtype=np.float64) @ self._slopes
        values = (values * self._y[1] + self._y[0]).astype(self._dtype)
        return np.asarray(values[:, 0] if self._flat else values)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.regressor_tags.poor_score = True
        return tags


def _features(K: Floats) -> tuple[Floats, Floats]:
    """Coordinates of the rows in the feature space, and the map from centred kernels to them."""
    values, vectors = linalg.symmetric_eigen(linalg.double_centred(K), semidefinite=True)
    kept = values > len(K) * np.finfo(np.float64).eps * np.abs(values).max(initial=0.0)
    root = np.sqrt(values[kept])
    return vectors[:, kept] * root, vectors[:, kept] / root
