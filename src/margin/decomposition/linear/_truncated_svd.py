"""Singular value decomposition of a table that is not centred."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random
from margin.core.types import Array, Floats, Matrix
from margin.decomposition._blocks import checked_blocks
from margin.decomposition.linear._centred_table import Multiplied, centred_table
from margin.decomposition.linear._spectrum import Spectrum, by_lanczos, by_random_range
from margin.decomposition.linear._stacked_table import StackedTable, column_moments
from margin.decomposition.linear._tall_table import tall_spectrum
from margin.distributions import ColumnMoments


class TruncatedSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""The best approximation of a table by one of low rank (decomposition.03).

    .. math:: X \approx U_k D_k V_k^\top, \qquad z = V_k^\top x

    minimises :math:`\|X - \tilde X\|_F` over all tables of rank :math:`k`. Nothing is centred, so
    that sparse tables stay sparse: with counts of words it is latent semantic analysis.

    Parameters
    ----------
    n_components : int, default=2
        The rank :math:`k`.
    algorithm : {"randomized", "arpack"}, default="randomized"
        A random sample of the row space, or Lanczos vectors.
    n_iter : int, default=5
        Power iterations of ``"randomized"``.
    n_oversamples : int, default=10
        Its random directions beside the components.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        How it keeps its vectors apart.
    random_state : None, int, Generator or RandomState
        For the first vectors; None is the same as 0.
    tol : float, default=0.0
        Tolerance of ``"arpack"``; 0 is machine precision.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Right singular vectors, the largest entry of each positive.
    singular_values_ : ndarray of shape (n_components,)
        Largest first.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        Variances of the coordinates, divisor ``n``, and their shares of that of the columns.
    fit_report_ : FitReport
        Mean squared distance of rows to the span of the components.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(m k)` operations for each power iteration on :math:`m` stored numbers. A dense table of
    few columns is decomposed exactly, by the :math:`O(n p^2)` products of these.

    References
    ----------
    Halko, Martinsson and Tropp (2011). Finding structure with randomness. SIAM Review 53.

    Examples
    --------
    >>> from margin.decomposition import TruncatedSVD
    >>> model = TruncatedSVD(1, random_state=0).fit([[3.0, 4.0], [6.0, 8.0]])
    >>> model.singular_values_.round(4), model.components_.round(4)
    (array([11.1803]), array([[0.6, 0.8]]))
    """

    card = Card(tasks=("transform",), cost="linear", search_space={"n_components": [1, 2, 3]})

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: Literal["randomized", "arpack"] = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the singular vectors.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, sparse=True, reset=True)
        n, p = X.shape
        weight = check.weights(self, sample_weight, n)
        self._enough(n, p)
        tall = tall_spectrum(X, weight, int(self.n_components)) if self._is_tall(X) else None
        if tall is not None:
            return self._keep(tall.spectrum, tall.variances, tall.whole, X.dtype)
        table = centred_table(X, weight, centre=False)
        spectrum = self._spectrum(table, float(n) if weight is None else float(weight.sum()))
        components = np.array(spectrum.axes, dtype=X.dtype, order="C")
        variances = _variances(X @ components.T, weight)
        return self._keep(spectrum, variances, _total_variance(X, weight), X.dtype)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the singular vectors of a table that comes in blocks of rows.

        Parameters
        ----------
        blocks : iterable or callable
            Dense or sparse tables ``X``, or tuples ``(X, sample_weight)``, from something that can
            be read again or from a function that opens it: twice for each power iteration. The
            answer is that of :meth:`fit` on all rows at once, up to rounding.

        Returns
        -------
        self
        """
        self._check_params()
        rows = checked_blocks(self, blocks, sparse=True)
        n, moments = 0, None
        for X, weight in rows:
            part = column_moments(X, weight)
            n, moments = n + X.shape[0], part if moments is None else moments + part
        assert moments is not None
        total = float(moments.weight[0])
        if not total > 0:
            raise check.fail(self, "sample_weight", "above 0 for some row", total)
        table = StackedTable(rows, (n, len(moments.mean)))
        self._enough(*table.shape)
        spectrum = self._spectrum(table, total)
        codes = [(X @ spectrum.axes.T, weight) for X, weight in rows]
        spread: Any = sum(ColumnMoments.of(Z, weight) for Z, weight in codes)
        whole = float(moments.scatter.sum()) / total
        return self._keep(spectrum, spread.scatter / total, whole, np.dtype(np.float64))

    def fit_transform(
        self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Fit, and the coordinates of the same rows."""
        return self.fit(X, y, sample_weight).transform(X)

    def _check_params(self) -> None:
        check.params(
            self,
            count="n_components n_oversamples",
            nonnegative="tol n_iter",
            one_of={
                "algorithm": ("randomized", "arpack"),
                "power_iteration_normalizer": ("auto", "QR", "LU", "none"),
            },
        )

    def _enough(self, n: int, p: int) -> None:
        most = min(n, p) - (self.algorithm == "arpack")
        if self.n_components > most:
            need = f"at most {most} for {n} samples of {p} features by {self.algorithm!r}"
            raise check.fail(self, "n_components", need, self.n_components)

    def _is_tall(self, X: Any) -> bool:
        """Whether all products of columns cost less than the power iterations."""
        n, p = X.shape
        width = int(self.n_components) + int(self.n_oversamples)
        cheap = 2 * p <= n and p <= 2 * (int(self.n_iter) + 1) * width
        return self.algorithm == "randomized" and cheap and not issparse(X)

    def _spectrum(self, table: Multiplied, total: float) -> Spectrum:
        rng = random.generator(0 if self.random_state is None else self.random_state)
        if self.algorithm == "arpack":
            return by_lanczos(table, total, self.n_components, self.tol, rng)
        return by_random_range(
            table,
            total,
            self.n_components,
            n_iter=int(self.n_iter),
            n_oversamples=self.n_oversamples,
            normalizer=self.power_iteration_normalizer,
            rng=rng,
        )

    def _keep(self, spectrum: Spectrum, variances: Floats, whole: float, dtype: Any) -> Self:
        self.components_ = np.array(spectrum.axes, dtype=dtype, order="C")
        self.singular_values_ = np.sqrt(spectrum.squares).astype(dtype)
        self.explained_variance_ = variances.astype(dtype)
        shares = variances / whole if whole > 0 else np.zeros_like(variances)
        self.explained_variance_ratio_ = shares.astype(dtype)
        rest = max(spectrum.total - float(spectrum.squares.sum()), 0.0)
        solution = Solution(
            np.empty(0), Status.CONVERGED, 1, rest / spectrum.weight, solver=self.algorithm
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def transform(self, X: Matrix) -> Array:
        """Coordinates of rows, of shape (n_samples, n_components)."""
        X = check.table(self, X, sparse=True)
        return np.asarray(X @ self.components_.T.astype(X.dtype, copy=False))

    def inverse_transform(self, X: Matrix) -> Array:
        """Rows of given coordinates, of shape (n_samples, n_features)."""
        check_is_fitted(self)
        codes = check_array(check.structure(self, X), dtype=check.FLOATS)
        return np.asarray(codes @ self.components_)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _variances(Z: Array, weight: Floats | None) -> Floats:
    """Of the columns, divisor n."""
    if weight is None:
        return np.asarray(np.var(Z, axis=0, dtype=np.float64))
    away = Z - weight @ Z / weight.sum()
    return np.asarray(weight @ (away * away) / weight.sum())


def _total_variance(X: Matrix, weight: Floats | None) -> float:
    held = np.ones(X.shape[0]) if weight is None else weight
    total = held.sum()
    if issparse(X):
        mean = np.asarray(X.T @ held).ravel() / total
        squares = np.asarray(X.multiply(X).T @ held).ravel() / total
        return float(np.maximum(squares - mean * mean, 0.0).sum())
    return float(_variances(X, weight).sum())
