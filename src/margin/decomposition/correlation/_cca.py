"""Canonical correlation analysis, exact."""

from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Card, atomic, check
from margin.core.types import Array, Floats
from margin.decomposition._closed_form import closed_form
from margin.decomposition.correlation._canonical import CanonicalPairs, canonical_pairs
from margin.decomposition.correlation._pair_blocks import PairMoments
from margin.decomposition.correlation._standard_table import StandardTable, standard_table


class CCA(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    RegressorMixin,
    MultiOutputMixin,
    BaseEstimator,
):
    r"""Canonical correlation analysis of two tables, exact and in the right order.

    Pairs of directions whose projections correlate most (decomposition.11),

    .. math:: \rho_k = \max_{a, b} \operatorname{corr}(X a, Y b), \qquad
              X a_k \perp X a_l, \; Y b_k \perp Y b_l \quad (k \ne l),

    by singular values of orthogonal factors, not by deflation: ``correlations_`` never rise. With
    ``alpha`` the variance of every direction is :math:`a^\top (C_{xx} + \alpha I) a`, for tables
    with more columns than rows. With one-hot classes as ``Y`` the directions are those of linear
    discriminant analysis.

    Parameters
    ----------
    n_components : int, default=2
        Pairs, at most the rows and the columns of either table.
    scale : bool, default=True
        Whether columns are divided by their standard deviation first. Without ``alpha`` it does not
        change the projections.
    max_iter : int, default=500
        Without effect, for scikit-learn's namesake: nothing is iterated.
    tol : float, default=1e-6
        Without effect, for scikit-learn's namesake.
    copy : bool, default=True
        Whether ``X`` and ``y`` stay as they are; without it they may be centred in place.
    alpha : float, default=0.0
        Variance added to every direction, in units of the scaled columns.

    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        Canonical correlations, largest first; zero beyond the rank that the tables share.
    x_rotations_, y_rotations_ : ndarray of shape (n_columns, n_components)
        Directions: standard rows times these are the canonical variates, of variance one.
    x_weights_, y_weights_ : ndarray of shape (n_columns, n_components)
        The same, for nothing is deflated.
    x_loadings_, y_loadings_ : ndarray of shape (n_columns, n_components)
        Coefficients of the columns on their variates: with ``scale`` their correlations.
    coef_ : ndarray of shape (n_targets, n_features)
        Regression of ``y`` on the centred columns through the variates of ``X``.
    intercept_ : ndarray of shape (n_targets,)
        Means of ``y``.
    n_iter_ : list of int
        Ones, for scikit-learn's namesake.
    fit_report_ : FitReport
        Minus the sum of the correlations as its objective.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n (p + q)^2)`. ``predict`` is the best linear prediction from the variates; where all
    are kept it is least squares. (Scikit-learn takes the variates of ``X`` for those of ``y``.)

    References
    ----------
    H. Hotelling, Relations between two sets of variates (1936); A. Björck and G. Golub, Numerical
    methods for computing angles between linear subspaces (1973).

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> from margin.decomposition import CCA
    >>> X, y = load_linnerud(return_X_y=True)
    >>> CCA(n_components=3).fit(X, y).correlations_.round(4)
    array([0.7956, 0.2006, 0.0726])
    """

    card = Card(tasks=("regression",), on_request=True)

    def __init__(
        self,
        n_components: int = 2,
        *,
        scale: bool = True,
        max_iter: int = 500,
        tol: float = 1e-6,
        copy: bool = True,
        alpha: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol
        self.copy = copy
        self.alpha = alpha

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the pairs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight, multi_output=True)
        dtype, flat = X.dtype, y.ndim == 1
        Y = y[:, None] if flat else y
        self._check_count(min(X.shape[0], X.shape[1], Y.shape[1]))
        total = float(len(X) if weight is None else weight.sum())
        given = X if X.dtype == np.float64 else X.astype(np.float64)
        x = standard_table(given, weight, self.scale, not self.copy)
        t = standard_table(Y, weight, self.scale, not self.copy)
        root = None if weight is None else np.sqrt(weight)[:, None]
        left, right = (s.rows if root is None else root * s.rows for s in (x, t))
        return self._find(left, right, total, x, t, flat, dtype)

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the pairs of two tables that come in blocks of rows, from their summed moments.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)``, read once. The answer is that of
            :meth:`fit` on all rows up to rounding, which products of columns square: directions of
            less than some :math:`10^{-7}` of the largest variance are beyond them.

        Returns
        -------
        self

        Examples
        --------
        >>> from sklearn.datasets import load_linnerud
        >>> X, y = load_linnerud(return_X_y=True)
        >>> CCA(n_components=3).fit_blocks([(X[:9], y[:9]), (X[9:], y[9:])]).correlations_.round(4)
        array([0.7956, 0.2006, 0.0726])
        """
        self._check_params()
        sums = PairMoments.of(self, blocks)
        self._check_count(min(sums.n_rows, sums.split, len(sums.largest) - sums.split))
        x, t = sums.tables(bool(self.scale))
        total = float(sums.stats.weight)
        return self._find(x.rows, t.rows, total, x, t, sums.flat, np.dtype(np.float64))

    def _check_params(self) -> None:
        check.params(
            self, count="n_components max_iter", nonnegative="alpha tol", flag="scale copy"
        )

    def _find(
        self,
        left: Floats,
        right: Floats,
        total: float,
        x: StandardTable,
        t: StandardTable,
        flat: bool,
        dtype: Any,
    ) -> Self:
        pairs = canonical_pairs(left, right, total, int(self.n_components), float(self.alpha))
        self._flat = flat
        self._store(pairs, x, t, dtype)
        self._store_maps(left, right, x, t, dtype)
        short = f"the tables share {pairs.rank} directions; components beyond are zero"
        notes = () if pairs.rank >= self.n_components else (short,)
        told = closed_form(-float(pairs.correlations.sum()), "QR and singular values")
        self.fit_report_ = check.report(self, told, notes)
        return self

    def _check_count(self, most: int) -> None:
        if self.n_components > most:
            raise ValueError(
                f"{type(self).__name__}: n_components must be at most the samples, the features "
                f"and the targets, got {self.n_components}: `n_components` upper bound is {most}. "
                f"Got {self.n_components} instead. Reduce `n_components`."
            )

    def _store(self, pairs: CanonicalPairs, x: StandardTable, t: StandardTable, dtype: Any) -> None:
        self.correlations_ = pairs.correlations.astype(dtype, copy=False)
        self.x_rotations_ = self.x_weights_ = pairs.x_directions.astype(dtype, copy=False)
        self.y_rotations_ = self.y_weights_ = pairs.y_directions.astype(dtype, copy=False)
        self._x, self._y = (x.mean, x.scale), (t.mean, t.scale)
        self.intercept_ = t.mean.astype(dtype, copy=False)
        self.n_iter_ = [1] * int(self.n_components)
        self._n_features_out = int(self.n_components)

    def _store_maps(
        self, left: Floats, right: Floats, x: StandardTable, t: StandardTable, dtype: Any
    ) -> None:
        """Coefficients of both tables on their own variates, and of the targets on ``X``."""
        rotations = self.x_rotations_.astype(np.float64)
        T, U = left @ rotations, right @ self.y_rotations_.astype(np.float64)
        self.x_loadings_ = _regressed(left, T).astype(dtype, copy=False)
        self.y_loadings_ = _regressed(right, U).astype(dtype, copy=False)
        slopes = rotations @ _regressed(right, T).T
        coef = (slopes * t.scale).T / x.scale
        self.coef_ = coef.astype(dtype, copy=False)

    def transform(self, X: Any, y: Any = None, copy: bool = True) -> Any:
        """Canonical variates.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
        copy : bool, default=True
            Whether ``X`` and ``y`` stay as they are.

        Returns
        -------
        x_scores : ndarray of shape (n_samples, n_components)
        y_scores : ndarray of shape (n_samples, n_components)
            Only where ``y`` is given.
        """
        X = check.table(self, X)
        scores = _standard(X, *self._x, copy) @ self.x_rotations_
        if y is None:
            return scores
        y = check_array(y, ensure_2d=False, dtype=check.FLOATS, input_name="y")
        y = y.reshape(-1, 1) if y.ndim == 1 else y
        return scores, _standard(y, *self._y, copy) @ self.y_rotations_

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and the canonical variates of both tables.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        x_scores, y_scores : ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y, sample_weight).transform(X, y)

    def inverse_transform(self, X: Any, y: Any = None) -> Any:
        """Rows that the variates stand for, without what the kept pairs do not see.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        y : array-like of shape (n_samples, n_components), optional

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        y : ndarray of shape (n_samples, n_targets)
            Only where ``y`` is given.
        """
        check_is_fitted(self)
        X = check_array(check.structure(self, X), dtype=check.FLOATS, input_name="X")
        back = X @ self.x_loadings_.T * self._x[1] + self._x[0]
        if y is None:
            return back
        y = check_array(y, dtype=check.FLOATS, input_name="y")
        return back, y @ self.y_loadings_.T * self._y[1] + self._y[0]

    def predict(self, X: Any, copy: bool = True) -> Array:
        """Best linear prediction of ``y`` from the variates of ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        copy : bool, default=True
            Whether ``X`` stays as it is.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        X = check.table(self, X)
        centred = _standard(X, self._x[0], np.ones(1), copy)
        values = centred @ self.coef_.T + self.intercept_
        return np.asarray(values[:, 0] if self._flat else values)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.regressor_tags.poor_score = True
        return tags


def _standard(X: Array, mean: Floats, scale: Floats, copy: bool) -> Array:
    """Standard rows, written on ``X`` itself where it may be."""
    out = X if not copy and X.flags.writeable else X.copy()
    out -= mean.astype(X.dtype)
    out /= scale.astype(X.dtype)
    return out


def _regressed(rows: Floats, scores: Floats) -> Floats:
    """Coefficients of columns on orthogonal scores; zero where a score is."""
    size = np.einsum("ij,ij->j", scores, scores)
    products = rows.T @ scores
    return np.asarray(np.divide(products, size, out=np.zeros_like(products), where=size > 0))
