"""Principal components of a table with gaps, by least squares alone."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Card, atomic, check, random
from margin.core.types import Array, Floats, Matrix
from margin.decomposition._signs import signed_rows
from margin.decomposition.linear._alternating import Plane, alternate, coordinates
from margin.linalg import svd

_RIDGE = 1e-9


class AlternatingPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""The plane nearest to the observed entries of a table (decomposition.05).

    .. math:: \min_{\mu, B, y} \sum_{(i, j)\ \text{observed}} (x_{ij} - \mu_j - b_j^\top y_i)^2

    by least squares for the coordinates :math:`y_i` and for the plane in turn; then the axes are
    turned by the singular values of :math:`B Y`. Without gaps it is :class:`PCA`. Unlike
    :class:`ProbabilisticPCA` it has no noise: rows that show fewer entries than there are
    components are fitted exactly, which is good for tables of low rank and poor for noisy ones.

    Parameters
    ----------
    n_components : int, default=2
        Dimension of the plane.
    whiten : bool, default=False
        Divide coordinates by their deviations.
    tol : float, default=1e-7
        Stop when the sum of squares falls by less than this part of itself.
    max_iter : int, default=2000
        Most rounds.
    random_state : None, int, Generator or RandomState, default=0
        First directions.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal axes, the largest entry of each positive.
    explained_variance_ : ndarray of shape (n_components,)
        Variances of the coordinates of the rows, divisor ``n - 1``.
    mean_ : ndarray of shape (n_features,)
        Middle of the rows, projected on the plane.
    noise_variance_ : float
        Mean squared residual of the observed entries.
    n_components_, n_samples_, n_iter_ : int
        Number of components, of rows, of rounds.
    fit_report_ : FitReport
        Sum of squared residuals, in units of the scaled rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p k^2)` operations per round, as matrix products.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import AlternatingPCA
    >>> X = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0])
    >>> X[1, 2] = np.nan
    >>> AlternatingPCA(n_components=1).fit(X).impute(X)[1].round(4)
    array([2., 4., 6.])
    """

    card = Card(tasks=("transform",), search_space={"n_components": [1, 2]})

    def __init__(
        self,
        *,
        n_components: int = 2,
        whiten: bool = False,
        tol: float = 1e-7,
        max_iter: int = 2000,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the plane.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows.

        Returns
        -------
        self
        """
        check.params(self, count="n_components max_iter", nonnegative="tol", flag="whiten")
        X = np.asarray(check.table(self, X, missing=True, reset=True), dtype=np.float64)
        n, p = X.shape
        weight = check.weights(self, sample_weight, n)
        if n < 2:
            raise ValueError(f"{type(self).__name__}: X must hold at least 2 samples, got 1 sample")
        if self.n_components > min(n, p):
            need = f"at most min(n_samples, n_features)={min(n, p)}"
            raise check.fail(self, "n_components", need, self.n_components)
        seen = ~np.isnan(X)
        counts = seen if weight is None else seen & (weight > 0)[:, None]
        if not counts.any(axis=0).all():
            column = int(np.argmin(counts.any(axis=0)))
            need = "observed at least once in every column"
            raise check.fail(self, "X", need, f"NaN throughout column {column}")
        self._keep(*self._search(X, seen, weight), X, weight)
        return self

    def _search(self, X: Array, seen: Array, weight: Floats | None) -> tuple[Any, Floats, float]:
        """The search, in units of the spread about the means."""
        held = np.ones(len(X)) if weight is None else weight
        count = held @ seen
        mean = held @ np.where(seen, X, 0.0) / np.where(count > 0, count, 1.0)
        away = X - mean
        squares = held @ np.where(seen, away, 0.0) ** 2
        scale = float(np.sqrt(squares.sum() / count.sum())) or 1.0
        rng = random.generator(self.random_state)
        filled = np.where(seen, away / scale, 0.0)
        sketch = (filled.T * held) @ (filled @ rng.standard_normal((X.shape[1], self.n_components)))
        directions = np.linalg.qr(sketch + 1e-6 * rng.standard_normal(sketch.shape))[0]
        solution = alternate(
            away / scale,
            weight,
            Plane(np.zeros(X.shape[1]), directions),
            ridge=_RIDGE,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        return solution, mean, scale

    def _keep(
        self, solution: Any, mean: Floats, scale: float, X: Array, weight: Floats | None
    ) -> None:
        plane: Plane = solution.x
        whole = Plane(mean + scale * plane.offset, scale * plane.directions)
        Y = coordinates(X, whole, _RIDGE * scale**2)
        held = np.ones(len(X)) if weight is None else weight
        middle = held @ Y / held.sum()
        # Singular values of the fitted table about its mean, from factors of few columns.
        left, triangle = np.linalg.qr(whole.directions)
        _, values, turn = svd(np.sqrt(held)[:, None] * (Y - middle) @ triangle.T)
        k = self.n_components
        axes = np.zeros((k, len(mean)))
        axes[: len(turn)] = turn @ left.T
        squares = np.zeros(k)
        squares[: len(values)] = values**2
        freedom = max(float(held.sum()) - 1, 1.0)
        self.mean_ = whole.offset + whole.directions @ middle
        self.components_ = signed_rows(axes)
        self.explained_variance_ = squares / freedom
        rest = X - whole.offset - Y @ whole.directions.T
        count = float(np.sum(held[:, None] * ~np.isnan(X)))
        self.noise_variance_ = float(np.nansum(held[:, None] * rest**2) / count)
        self.n_components_, self.n_samples_, self.n_iter_ = k, len(X), solution.n_iter
        self.fit_report_ = check.report(self, solution)

    def transform(self, X: Matrix) -> Array:
        """Coordinates of rows, by least squares over what is observed of each."""
        X = np.asarray(check.table(self, X, missing=True), dtype=np.float64)
        plane = Plane(self.mean_, self.components_.T)
        out = coordinates(X, plane, 0.0)
        return out / self._scales() if self.whiten else out

    def inverse_transform(self, X: Matrix) -> Array:
        """Points of the plane with given coordinates.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        Z = check_array(check.structure(self, X), dtype=np.float64)
        if Z.shape[1] != len(self.components_):
            need = f"of {len(self.components_)} columns, one for each component"
            raise check.fail(self, "X", need, f"{Z.shape[1]} columns")
        return np.asarray(
            (Z * self._scales() if self.whiten else Z) @ self.components_ + self.mean_
        )

    def _scales(self) -> Floats:
        return np.maximum(np.sqrt(self.explained_variance_), np.finfo(float).eps)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def impute(self, X: Matrix) -> Array:
        """Rows whose gaps are filled from the plane.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is what will be filled.
        """
        back = self.inverse_transform(self.transform(X))
        rows = np.asarray(check.table(self, X, missing=True), dtype=np.float64)
        return np.where(np.isnan(rows), back, rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags
