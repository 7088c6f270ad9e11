"""Metrics by their names, as users ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cholesky
from sklearn.metrics import DistanceMetric, pairwise_distances

from margin.core import check
from margin.core.types import Array, Floats
from margin.kernels import Kernel
from margin.neighbors.search._metric import Metric

_SAME = {
    "l1": "manhattan",
    "cityblock": "manhattan",
    "l2": "euclidean",
    "infinity": "chebyshev",
    "p": "minkowski",
}
_MEASURES = {
    "manhattan": Metric("manhattan", measure="manhattan", power=1.0),
    "euclidean": Metric("euclidean"),
    "sqeuclidean": Metric("sqeuclidean", form="squares"),
    "chebyshev": Metric("chebyshev", measure="chebyshev", power=np.inf),
    "canberra": Metric("canberra", measure="canberra"),
    "braycurtis": Metric("braycurtis", measure="braycurtis", triangle=False),
    "hamming": Metric("hamming", measure="hamming"),
    "jaccard": Metric("jaccard", measure="jaccard"),
    "nan_euclidean": Metric("nan_euclidean", measure="nan_euclidean", triangle=False),
    "cosine": Metric("cosine", form="angles"),
    "correlation": Metric("correlation", form="centred angles"),
    "haversine": Metric("haversine", form="sphere"),
}
_BY_MATRIX = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
_OBJECTS = (DistanceMetric, Kernel)
_SPARSE = ("manhattan", "euclidean", "sqeuclidean", "cosine")
NAMES = (*_MEASURES, *_SAME, *_BY_MATRIX, "minkowski", "seuclidean", "mahalanobis", "precomputed")


@dataclass(frozen=True)
class Asked:
    """A metric as the parameters of an estimator give it."""

    metric: Any
    params: Mapping[str, Any]

    @property
    def label(self) -> str:
        """Name for messages."""
        return self.metric if isinstance(self.metric, str) else type(self.metric).__name__


def metric_of(owner: object, asked: Asked, X: Any, sparse: bool) -> Metric:
    """The metric that is asked for, on rows like those of ``X``."""
    name, params = asked.metric, dict(asked.params)
    if not isinstance(name, str) and (callable(name) or isinstance(name, _OBJECTS)):
        return _by_function(name, params)
    name = _SAME.get(name, name)
    if name not in NAMES:
        choices = ", ".join(sorted(NAMES))
        raise check.fail(owner, "metric", f"a kernel, a callable or one of {choices}", name)
    if sparse:
        return _sparse_metric(owner, name, params)
    if name in ("minkowski", "seuclidean", "mahalanobis"):
        return _scaled(owner, name, params, X)
    if name in _BY_MATRIX:
        return _called(name, params)
    if name == "haversine" and X.shape[1] != 2:
        raise check.fail(
            owner, "X", "latitude and longitude for the haversine distance", f"{X.shape[1]} columns"
        )
    return _MEASURES[name]


def _by_function(metric: Any, params: Mapping[str, Any]) -> Metric:
    """A metric that is an object: of scikit-learn, a kernel, or a function."""
    if isinstance(metric, DistanceMetric):
        return Metric(type(metric).__name__, form="matrix", pairs=_Object(metric))
    if isinstance(metric, Kernel):
        return Metric(type(metric).__name__, form="matrix", pairs=_FeatureDistance(metric))
    return _called(metric, params)


def _scaled(owner: object, name: str, params: Mapping[str, Any], X: Array) -> Metric:
    """Metrics with weights, variances or a matrix: a linear map comes first."""
    if name == "seuclidean":
        variance = params.get("V")
        variance = np.var(X, axis=0, ddof=1, dtype=np.float64) if variance is None else variance
        return Metric(name, scale=1.0 / np.sqrt(_columns(owner, "V", variance, X.shape[1])))
    if name == "mahalanobis":
        inverse = _inverse_covariance(owner, params, X)
        try:
            return Metric(name, scale=np.asarray(cholesky(inverse, lower=True)))
        except np.linalg.LinAlgError:  # no distance, but a number all the same
            return _called(name, {"VI": inverse})
    power = float(params.get("p", 2.0))
    if not power > 0:
        raise check.fail(owner, "p", "a number above 0", power)
    weight = params.get("w")
    scale = None
    if weight is not None:
        weight = _columns(owner, "w", weight, X.shape[1])
        if (weight < 0).any():
            raise check.fail(owner, "w", "at least 0 everywhere", weight.min())
        scale = weight if np.isinf(power) else weight ** (1.0 / power)
    measures = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}
    return Metric(
        name,
        measure=measures.get(power, "minkowski"),
        power=power,
        scale=scale,
        triangle=power >= 1,
    )


def _inverse_covariance(owner: object, params: Mapping[str, Any], X: Array) -> Floats:
    """The matrix of the Mahalanobis distance, as given or of the rows."""
    inverse = params.get("VI")
    if inverse is None:
        covariance = params.get("V")
        covariance = np.cov(X.T, dtype=np.float64) if covariance is None else covariance
        inverse = np.linalg.inv(np.atleast_2d(covariance))
    inverse = np.asarray(inverse, dtype=np.float64)
    if inverse.shape != (X.shape[1], X.shape[1]):
        raise check.fail(owner, "VI", f"a matrix of {X.shape[1]} rows and columns", inverse.shape)
    return np.asarray(0.5 * (inverse + inverse.T))


def _columns(owner: object, name: str, value: Any, p: int) -> Floats:
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.shape != (p,):
        raise check.fail(owner, name, f"one number for each of {p} columns", numbers.shape)
    return numbers


@dataclass(frozen=True, eq=False)
class _Called:
    """Any other metric, by the matrices that scikit-learn or a function computes."""

    metric: Any
    params: Mapping[str, Any]

    def __call__(self, Q: Any, X: Any) -> Array:
        if isinstance(self.metric, str) and self.metric in _BY_MATRIX:
            Q, X = Q != 0, X != 0
        distances = np.asarray(pairwise_distances(Q, X, metric=self.metric, **self.params))
        return _known(distances) if callable(self.metric) else distances


@dataclass(frozen=True, eq=False)
class _Object:
    """A metric object of scikit-learn."""

    metric: Any

    def __call__(self, Q: Any, X: Any) -> Array:
        return _known(np.asarray(self.metric.pairwise(Q, X)))


@dataclass(frozen=True, eq=False)
class _FeatureDistance:
    r"""Distance of images in feature space, the root of :math:`k(x,x) - 2k(x,z) + k(z,z)`."""

    kernel: Kernel

    def __call__(self, Q: Any, X: Any) -> Array:
        own, other = self.kernel.diag(Q), self.kernel.diag(X)
        square = own[:, None] - 2.0 * self.kernel(Q, X) + other[None, :]
        return np.asarray(np.sqrt(np.maximum(square, 0.0)))


def _known(distances: Array) -> Array:
    """Distances of a function of others, which need not be right."""
    if np.isnan(distances).any():
        raise check.fail("neighbors", "metric", "a function whose answers are numbers", np.nan)
    return distances


def _called(name: Any, params: Mapping[str, Any]) -> Metric:
    label = name if isinstance(name, str) else "callable"
    return Metric(label, form="matrix", pairs=_Called(name, dict(params)))


def _sparse_metric(owner: object, name: str, params: Mapping[str, Any]) -> Metric:
    power = params.get("p") if name == "minkowski" and params.get("w") is None else None
    name = {1: "manhattan", 2: "euclidean"}.get(power, name) if power else name
    if name not in _SPARSE:
        raise ValueError(
            f"{check.named(owner)}: Metric {name!r} not valid for sparse input. "
            f"It must be one of {', '.join(_SPARSE)} or a callable"
        )
    if name == "sqeuclidean":
        return Metric(name, form="matrix", pairs=_Called("euclidean", {"squared": True}))
    return _called(name, {})
