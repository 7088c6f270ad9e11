"""What every estimator over neighbours does: checking, preparing points, asking them."""

import warnings
from abc import ABC, abstractmethod
from functools import cache
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import BallTree, KDTree
from sklearn.utils.validation import check_is_fitted, check_non_negative

from margin.core import Solution, Status, check, objects, threads
from margin.core.types import Array
from margin.kernels import Kernel
from margin.neighbors.search._choice import ALGORITHMS
from margin.neighbors.search._points import Points, SearchSettings, points_of

_TREES = (KDTree, BallTree)
_METRICS = (Kernel, DistanceMetric)
_NUMBERS = (int, float, np.number)
_POWERS = {1: "manhattan", 2: "euclidean", np.inf: "chebyshev"}


@cache
def _kept(method: str) -> Solution:
    """What a fit reports that has nothing to search for."""
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=0,
        objective=0.0,
        trace={"objective": np.empty(0)},
        solver=f"{method}: the rows are kept",
    )


class NeighborsBase(BaseEstimator, ABC):
    """An estimator that keeps its rows and searches among them."""

    algorithm: str
    leaf_size: int
    metric: Any
    p: float
    metric_params: dict[str, Any] | None
    n_jobs: int | None
    _points: Points

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows."""

    def _check_search(self) -> None:
        """Refuse bad parameters of the search before any work."""
        check.params(self, count="leaf_size", one_of={"algorithm": ALGORITHMS})
        known = isinstance(self.metric, str) or callable(self.metric)
        if not known and not isinstance(self.metric, _METRICS):
            raise check.fail(self, "metric", "a name, a Kernel or a callable", self.metric)
        if self.p is not None and not (_number(self.p) and self.p == np.inf):
            check.params(self, positive="p")
        if self.metric_params is not None and not isinstance(self.metric_params, dict):
            raise check.fail(self, "metric_params", "None or a dict", self.metric_params)

    @property
    def _given(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _objects(self) -> bool:
        return isinstance(self.metric, Kernel) and self.metric.input != "vectors"

    @property
    def _missing(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "nan_euclidean"

    def _training(self, X: Any, y: Any = None, *, supervised: bool = False) -> tuple[Any, Any]:
        """Checked rows and targets."""
        if self._objects:
            return list(X), y
        if isinstance(X, _TREES):
            X = np.asarray(X.data)
        elif isinstance(X, NeighborsBase):
            check_is_fitted(X)
            X = X._points.X
        self._check_format(X)
        if supervised:
            X, y, _ = check.data(
                self,
                X,
                y,
                target="classes",  # numbers are made of them later
                sparse=True,
                multi_output=True,
                missing=self._missing,
                order="C",
            )
        else:
            X = check.table(self, X, sparse=True, missing=self._missing, order="C", reset=True)
        if self._given:
            self._check_given(X)
            if X.shape[0] != X.shape[1]:
                size = f"{X.shape[0]}x{X.shape[1]}"
                raise ValueError(
                    f"{type(self).__name__}: Precomputed matrix must be square. "
                    f"Input is a {size} matrix."
                )
        return X, y

    def _check_format(self, X: Any) -> None:
        """Refuse given distances whose format may lose zeros."""
        if self._given and issparse(X) and X.format not in ("csr", "csc", "coo", "lil"):
            raise TypeError(
                f"{type(self).__name__}: Sparse matrix in {X.format!r} format is not supported due "
                "to its handling of explicit zeros"
            )

    def _check_given(self, X: Any) -> None:
        check_non_negative(X, "precomputed distance matrix")

    def _keep(self, X: Any) -> None:
        """Prepare the rows for the search."""
        metric, params = self._effective_metric()
        if issparse(X) and self.algorithm not in ("auto", "brute"):
            warnings.warn("cannot use tree with sparse input: using brute force", stacklevel=3)
        settings = SearchSettings(
            self.algorithm, metric, params, int(self.leaf_size), threads.count(self.n_jobs)
        )
        points = points_of(self, X, settings)
        self.effective_metric_ = metric
        self.effective_metric_params_ = params
        self.n_samples_fit_ = points.count
        self.search_method_, self.search_reason_ = points.choice.method, points.choice.reason
        self._points = points
        self.fit_report_ = check.report(self, _kept(points.choice.method), (points.choice.reason,))

    def _effective_metric(self) -> tuple[Any, dict[str, Any]]:
        """The metric in the simplest terms, and its parameters."""
        params = dict(self.metric_params or {})
        if not (isinstance(self.metric, str) and self.metric == "minkowski"):
            return self.metric, params
        if "p" in params:
            warnings.warn(
                "Parameter p is found in metric_params. The corresponding parameter from "
                "__init__ is ignored.",
                SyntaxWarning,
                stacklevel=4,
            )
        power, weight = params.pop("p", self.p), params.pop("w", None)
        if _number(power) and 0 < power < 1 and self.algorithm in ("auto", "brute"):
            warnings.warn(
                "Mind that for 0 < p < 1, Minkowski metrics are not distance metrics. Continuing "
                "the execution with `algorithm='brute'`.",
                stacklevel=4,
            )
        if weight is None and power in _POWERS:
            return _POWERS[power], params
        return "minkowski", {**params, "p": power, "w": weight}

    @property
    def _fit_method(self) -> str:
        """The method of search, where other libraries look for it."""
        return self._points.choice.method

    def _queries(self, X: Any) -> Any:
        """Checked queries; None stays None: the rows themselves."""
        check_is_fitted(self)
        if X is None:
            return None
        if self._objects:
            return list(X)
        self._check_format(X)
        X = check.table(self, X, sparse=True, missing=self._missing, order="C")
        if self._given:
            self._check_given(X)
        elif issparse(X) and not issparse(self._points.X):
            return X.toarray()
        elif issparse(self._points.X) and not issparse(X):
            return type(self._points.X)(X)
        return X

    def _count(self, Q: Any) -> int:
        return self._points.count if Q is None else objects.count(Q)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._given
        tags.input_tags.positive_only = self._given
        tags.input_tags.allow_nan = self._missing
        return tags


def _number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def vector_of(value: Any, n: int) -> Array:
    """The same number for every query, or the numbers of the queries."""
    return np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype=np.float64), (n,)))
