"""Completion of a matrix with gaps."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin import linalg
from margin.core import Card, atomic, check, random
from margin.core.types import Array, Bools, Floats
from margin.decomposition.sources._low_rank import LowRank, alternating_ridge, soft_impute


class MatrixCompletion(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""A low-rank matrix through the entries that are known (decomposition.15).

    .. math:: \min_M \tfrac12 \sum_{(i, j) \in \Omega} (X_{ij} - M_{ij})^2 + \alpha \|M\|_*

    NaN means unobserved. The nuclear norm makes the problem convex: "soft-impute" comes with a
    duality gap that proves the answer. "als" looks for factors of a chosen rank, quicker for large
    matrices, with the same penalty.

    Parameters
    ----------
    n_components : int, optional
        Largest rank; any for "soft-impute", 2 for "als", at most the rows and the columns.
    method : {"soft-impute", "als"}, default="soft-impute"
        Convex, or factors in turn.
    alpha : float or "auto", default="auto"
        Price of the nuclear norm, above zero; "auto" is a hundredth of the smallest that gives
        zero.
    centre : bool, default=True
        Whether the means of the known entries of columns are taken away first.
    tol : float, default=1e-5
        Duality gap, as a part of the squares of the known entries, or relative gain of "als".
    max_iter : int, default=1000
        Most iterations.
    random_state : int, Generator, RandomState or None, default=None
        Where the factors of "als" start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Right singular vectors of the centred matrix.
    singular_values_ : ndarray of shape (n_components,)
        Its singular values, largest first.
    mean_ : ndarray of shape (n_features,)
        Means that were taken away.
    completed_ : ndarray of shape (n_samples, n_features)
        The table with its gaps filled; known entries as they were.
    alpha_ : float
        Price of the nuclear norm.
    rank_ : int
        Singular values above zero.
    n_iter_ : int
        Iterations made.
    fit_report_ : FitReport
        The objective, and the duality gap as certificate.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    ``transform`` gives the coordinates of rows by ridge regression on the known entries, and
    ``inverse_transform`` the rows without gaps.

    References
    ----------
    R. Mazumder, T. Hastie and R. Tibshirani, Spectral regularization algorithms for learning large
    incomplete matrices (2010); T. Hastie et al., Matrix completion via fast alternating least
    squares (2015).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import MatrixCompletion
    >>> X = np.outer([1.0, 2, 3, 4], [1.0, 2, 3])
    >>> X[1, 1] = np.nan  # 2 * 2
    >>> model = MatrixCompletion(alpha=1e-3, centre=False, tol=1e-9, max_iter=10_000).fit(X)
    >>> round(float(model.completed_[1, 1]), 2)
    4.0
    """

    card = Card(tasks=("transform",), cost="linear", max_rows=20_000)

    def __init__(
        self,
        *,
        n_components: int | None = None,
        method: str = "soft-impute",
        alpha: Any = "auto",
        centre: bool = True,
        tol: float = 1e-5,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.method = method
        self.alpha = alpha
        self.centre = centre
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Complete the matrix.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN where nothing is known.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, missing=True, reset=True)
        rows = X.astype(np.float64)
        seen = ~np.isnan(rows)
        self._refuse_empty(seen)
        counts = seen.sum(axis=0)
        filled = np.where(seen, rows, 0.0)
        mean = filled.sum(axis=0) / counts if self.centre else np.zeros(rows.shape[1])
        centred = np.where(seen, rows - mean, 0.0)
        factors = self._complete(centred, seen)
        k = len(factors.values)
        self.mean_ = mean.astype(X.dtype)
        signs = np.where(
            factors.right[np.arange(k), np.abs(factors.right).argmax(axis=1)] < 0, -1.0, 1.0
        )
        self.components_ = (factors.right * signs[:, None]).astype(X.dtype)
        self.singular_values_ = factors.values.astype(X.dtype)
        self.completed_ = np.where(seen, rows, factors.matrix + mean).astype(X.dtype)
        self.rank_ = int(np.count_nonzero(factors.values))
        self._n_features_out = k
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            count="max_iter",
            nonnegative="tol",
            flag="centre",
            one_of={"method": ("soft-impute", "als")},
        )
        if self.n_components is not None:
            check.params(self, count="n_components")
        if not (isinstance(self.alpha, str) and self.alpha == "auto"):
            check.params(self, positive="alpha")

    def _refuse_empty(self, seen: Bools) -> None:
        for axis, what in ((1, "row"), (0, "column")):
            empty = np.flatnonzero(~seen.any(axis=axis))
            if len(empty):
                wanted = f"observed somewhere in every {what}"
                raise check.fail(self, "X", wanted, f"only NaN in {what} {empty[0]}")
        if self.n_components is not None and self.n_components > min(seen.shape):
            wanted = f"at most {min(seen.shape)}, the samples and the features"
            raise check.fail(self, "n_components", wanted, self.n_components)

    def _complete(self, X: Floats, seen: Bools) -> LowRank:
        most = min(X.shape)
        largest = float(np.linalg.norm(X, 2))
        self.alpha_ = 0.01 * largest or 1.0 if self.alpha == "auto" else float(self.alpha)
        rules: Any = {"tol": float(self.tol), "max_iter": int(self.max_iter)}
        if self.method == "soft-impute":
            k = most if self.n_components is None else int(self.n_components)
            solution = soft_impute(X, seen, self.alpha_, k, **rules)
            factors: LowRank = solution.x
        else:
            k = min(2, most) if self.n_components is None else int(self.n_components)
            rng = random.generator(self.random_state)
            scale = np.sqrt(max(float(np.abs(X[seen]).mean()), 1e-300))
            start = (np.zeros((len(X), k)), scale * rng.standard_normal((X.shape[1], k)))
            solution = alternating_ridge(X, seen, self.alpha_, start, **rules)
            A, B = solution.x
            left, values, right = linalg.svd(A @ B.T)
            factors = LowRank(left[:, :k], values[:k], right[:k])
        if not len(factors.values):
            factors = LowRank(np.zeros((len(X), 1)), np.zeros(1), np.eye(1, X.shape[1]))
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return factors

    def transform(self, X: Any) -> Array:
        """Coordinates of rows by ridge regression on what is known of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN where nothing is known.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        X = check.table(self, X, missing=True)
        V = self.components_.astype(np.float64)
        # The penalty of a coordinate at the minimum: alpha over the singular value.
        size = np.maximum(self.singular_values_.astype(np.float64), 1e-300)
        known = self.singular_values_ > 0
        price = np.where(known, self.alpha_ / size, 1.0)
        centred = X.astype(np.float64) - self.mean_
        out = np.zeros((len(X), len(V)))
        masks, group = np.unique(np.isnan(centred), axis=0, return_inverse=True)
        for j, gaps in enumerate(masks):
            rows, part = group.ravel() == j, V[:, ~gaps]
            out[rows] = np.linalg.solve(
                part @ part.T + np.diag(price), part @ centred[rows][:, ~gaps].T
            ).T
        return np.asarray((out * known).astype(X.dtype))

    def inverse_transform(self, X: Any) -> Array:
        """Rows that the coordinates stand for, without gaps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        codes = check_array(check.structure(self, X), dtype=check.FLOATS)
        return np.asarray(codes @ self.components_ + self.mean_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
