"""Linear models of non-linear functions."""

from functools import reduce
from math import prod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Array, Floats
from margin.linear.curves._basis_functions import (
    Fourier,
    Functions,
    NaturalCubic,
    Radial,
    TruncatedPowers,
)
from margin.linear.curves._knot_places import knot_places

_BASES = ("natural-cubic", "truncated-power", "fourier", "radial")
_MOST = 100_000  # columns that a table can be asked to grow to


class BasisExpansion(TransformerMixin, BaseEstimator):
    r"""Columns :math:`h_m(X)` for a model :math:`f(X) = \sum_m \beta_m h_m(X)` (linear.17).

    Every feature is replaced by a few functions of it; a linear model of the new columns is a
    non-linear model of the old ones, and everything known about linear models holds.

    Parameters
    ----------
    basis : str, callable or list of callables, default="natural-cubic"
        ``"natural-cubic"``: cubic splines, straight outside of the data; ``"truncated-power"``:
        piecewise polynomials of any degree and smoothness; ``"fourier"``: cosines and sines;
        ``"radial"``: Gaussian bells. A callable takes the table and gives one column or several.
    n_knots : int, default=5
        Knots per feature, the first and the last at the ends of the data; at least 2.
    knots : {"quantile", "uniform"} or array-like, default="quantile"
        As many rows between any two knots, a regular lattice, or the knots themselves, rising, of
        shape (n_knots,) or (n_knots, n_features).
    degree : int, default=3
        Of the polynomials of ``"truncated-power"``, at least 0; harmonics of ``"fourier"``.
    smoothness : int, optional
        Derivatives of ``"truncated-power"`` that are continuous at the knots: from -1, separate
        polynomials on each piece, to ``degree - 1``, a spline, which is the default.
    period : float, optional
        Period of ``"fourier"``; by default twice the range of each feature, whose ends may differ.
    width : float, optional
        Standard deviation :math:`h` of the bells; the mean distance of the knots by default.
    tensor : bool, default=False
        Whether to take all products of functions of different features as well: functions on the
        lattice of the knots of all features, which model interactions.
    include_bias : bool, default=False
        Whether the first column is the constant.

    Attributes
    ----------
    functions_ : list
        The functions of each feature.
    fit_report_ : FitReport
        How many functions there are.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    See Also
    --------
    GeneralisedAdditiveModel : The same with as much smoothness as the data ask for.
    SmoothingSpline : One feature, a knot at every row.

    Notes
    -----
    Monomials with all products are scikit-learn's ``PolynomialFeatures``, B-splines its
    ``SplineTransformer``. Equal knots count once, so a feature of few values gets few functions.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import BasisExpansion, LinearRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> model = make_pipeline(BasisExpansion(n_knots=6), LinearRegression())
    >>> round(model.fit(x, np.sin(6 * x[:, 0])).score(x, np.sin(6 * x[:, 0])), 4)
    0.9999
    """

    card = Card(tasks=("transform",), cost="linear")

    def __init__(
        self,
        *,
        basis: Any = "natural-cubic",
        n_knots: int = 5,
        knots: Any = "quantile",
        degree: int = 3,
        smoothness: int | None = None,
        period: float | None = None,
        width: float | None = None,
        tensor: bool = False,
        include_bias: bool = False,
    ) -> None:
        self.basis = basis
        self.n_knots = n_knots
        self.knots = knots
        self.degree = degree
        self.smoothness = smoothness
        self.period = period
        self.width = width
        self.tensor = tensor
        self.include_bias = include_bias

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the knots.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        self._check_params()
        X = check.validated(self, check.structure(self, X), dtype=check.FLOATS)
        if not isinstance(self.basis, str):
            self.functions_ = [self.basis] if callable(self.basis) else list(self.basis)
            self._widths = [h.shape[1] for h in self._called(X[:1].astype(np.float64))]
        else:
            places = knot_places(
                type(self).__name__, X.astype(np.float64), self.knots, self.n_knots
            )
            self.functions_ = [self._functions(place) for place in places]
            self._widths = [len(h.names("x")) for h in self.functions_]
        if self.tensor and prod(width + 1 for width in self._widths) > _MOST:
            need = f"False where products would make more than {_MOST} columns"
            raise check.fail(self, "tensor", need, True)
        self.fit_report_ = check.report(self, self._solution())
        return self

    def _solution(self) -> Solution:
        total = self._n_features_out
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=0.0,
            solver=f"{total} functions of {self.n_features_in_} features, nothing to search for",
        )

    def _check_params(self) -> None:
        check.params(self, count="n_knots", flag="tensor include_bias")
        if isinstance(self.basis, str):
            check.params(self, one_of={"basis": _BASES})
        elif not callable(self.basis):
            proper = isinstance(self.basis, list | tuple) and len(self.basis) > 0
            if not proper or not all(callable(h) for h in self.basis):
                need = f"one of {', '.join(map(repr, _BASES))}, a callable or a list of callables"
                raise check.fail(self, "basis", need, self.basis)
        if self.n_knots < 2:
            raise check.fail(self, "n_knots", "an integer of at least 2", self.n_knots)
        if self.degree != 0 or self.basis == "fourier":
            check.params(self, count="degree")
        smooth = self.smoothness
        if smooth is not None and smooth not in range(-1, self.degree):
            raise check.fail(self, "smoothness", f"an integer from -1 to {self.degree - 1}", smooth)
        for name in ("period", "width"):
            if getattr(self, name) is not None:
                check.params(self, positive=name)
        if self.tensor and not isinstance(self.basis, str):
            raise check.fail(self, "tensor", "False for functions of the whole table", True)

    def _functions(self, knots: Floats) -> Functions:
        span = float(knots[-1] - knots[0]) or 1.0
        if self.basis == "natural-cubic":
            return NaturalCubic(knots)
        if self.basis == "truncated-power":
            smooth = self.degree - 1 if self.smoothness is None else self.smoothness
            return TruncatedPowers(knots, self.degree, smooth)
        if self.basis == "fourier":
            return Fourier(2.0 * span if self.period is None else float(self.period), self.degree)
        mean = span / max(len(knots) - 1, 1)
        return Radial(knots, mean if self.width is None else float(self.width))

    def transform(self, X: Any) -> Array:
        """Values of the functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_functions)
        """
        X = check.table(self, X)
        rows = X.astype(np.float64)
        if isinstance(self.basis, str):
            parts = [h.columns(x) for h, x in zip(self.functions_, rows.T, strict=True)]
        else:
            parts = self._called(rows)
        ones = np.ones((len(rows), 1))
        if self.tensor:
            parts = [np.column_stack([ones, part]) for part in parts]
            table = reduce(_products, parts)[:, 0 if self.include_bias else 1 :]
        else:
            table = np.column_stack([ones, *parts] if self.include_bias else parts)
        return np.ascontiguousarray(table, dtype=X.dtype)

    def _called(self, rows: Floats) -> list[Floats]:
        """Columns of the functions of the whole table, as the callables give them."""
        parts = []
        for k, h in enumerate(self.functions_):
            part = np.asarray(h(rows), dtype=np.float64)
            part = part[:, None] if part.ndim == 1 else part
            if part.ndim != 2 or len(part) != len(rows):
                need = f"of functions that give {len(rows)} rows here"
                raise check.fail(self, "basis", need, f"shape {part.shape} from function {k}")
            parts.append(part)
        return parts

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names such as ``(x0-0.5)+^3``, products joined by ``*``."""
        check_is_fitted(self)
        given = _check_feature_names_in(self, input_features)
        if isinstance(self.basis, str):
            names = [h.names(x) for h, x in zip(self.functions_, given, strict=True)]
        else:
            names = [
                [f"h{k}" if width == 1 else f"h{k}_{j}" for j in range(width)]
                for k, width in enumerate(self._widths)
            ]
        if self.tensor:
            joined = reduce(_joined, [["1", *part] for part in names])
            return np.array(joined[0 if self.include_bias else 1 :], dtype=object)
        first = ["1"] if self.include_bias else []
        return np.array([*first, *(name for part in names for name in part)], dtype=object)

    @property
    def _n_features_out(self) -> int:
        return len(self.get_feature_names_out())


def _products(left: Floats, right: Floats) -> Floats:
    return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)


def _joined(left: list[str], right: list[str]) -> list[str]:
    return [a if b == "1" else b if a == "1" else f"{a}*{b}" for a in left for b in right]
