"""Kernel density estimates on plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core.types import Array, Floats
from margin.native.neighbors import densities, trees
from margin.neighbors.density._kernel_constants import log_volume, profile
from margin.neighbors.search._metric import Metric

_BLOCK = 2**20  # distances held at once


@dataclass(frozen=True)
class Tolerance:
    """How far a density may be off.

    Parameters
    ----------
    atol, rtol : float
        In units of the density, and as a share of it.
    """

    atol: float = 0.0
    rtol: float = 0.0


@dataclass(frozen=True, eq=False)
class KernelSums:
    """Points with weights, ready for sums of kernels around them.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    weight : ndarray of shape (n,)
    metric : Metric
    boxes : bool
        Whether the tree is made of boxes, else of balls.
    leaf_size : int
    n_threads : int
    """

    X: Array
    weight: Floats
    metric: Metric
    boxes: bool
    leaf_size: int
    n_threads: int

    @cached_property
    def tree(self) -> trees.Blocks:
        """The points in a tree."""
        rows = np.ascontiguousarray(self.metric.mapped(self.X), dtype=np.float64)
        return trees.tree(
            rows,
            self.metric.measure,
            self.metric.power,
            boxes=self.boxes,
            leaf_size=self.leaf_size,
            n_threads=self.n_threads,
        )

    def log_density(
        self, Q: Array, kernel: str, bandwidth: float, tolerance: Tolerance | None = None
    ) -> Floats:
        """Logarithm of the density at each query."""
        limits = Tolerance() if tolerance is None else tolerance
        scale = -log_volume(kernel, bandwidth, self.X.shape[1]) - np.log(self.weight.sum())
        sums = self._log_sums(Q, kernel, bandwidth, limits, float(scale))
        return np.asarray(scale + sums)

    def left_out(self, kernel: str, bandwidth: float, tolerance: Tolerance) -> Floats:
        """Logarithm of the density at each point, made of all the others."""
        log_sum = self._log_sums(self.X, kernel, bandwidth, tolerance, 0.0)
        others = np.exp(log_sum) - self.weight
        volume = log_volume(kernel, bandwidth, self.X.shape[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = np.log(np.maximum(others, 0.0)) - np.log(self.weight.sum() - self.weight)
        return np.asarray(rest - volume)

    def _log_sums(
        self, Q: Array, kernel: str, bandwidth: float, tolerance: Tolerance, scale: float
    ) -> Floats:
        if self.metric.form != "rows":
            return self._sums_by_matrices(Q, kernel, bandwidth)
        rows = np.ascontiguousarray(self.metric.mapped(Q, queries=True), dtype=np.float64)
        return densities.log_kernel_sums(
            self.tree,
            self.weight,
            rows,
            kernel,
            bandwidth,
            log_scale=scale,
            atol=tolerance.atol,
            rtol=tolerance.rtol,
            n_threads=self.n_threads,
        )

    def _sums_by_matrices(self, Q: Array, kernel: str, bandwidth: float) -> Floats:
        """The same for metrics that no tree serves: all distances, by blocks of queries."""
        step = max(1, _BLOCK // len(self.X))
        parts = [
            _sums(self._distances(Q[i : i + step]) / bandwidth, self.weight, kernel)
            for i in range(0, len(Q), step)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def _distances(self, Q: Array) -> Floats:
        if self.metric.pairs is not None:
            return np.asarray(self.metric.pairs(Q, self.X), dtype=np.float64)
        left = np.repeat(np.arange(len(Q)), len(self.X))
        right = np.tile(np.arange(len(self.X)), len(Q))
        inner = self.metric.mapped(Q, queries=True)[left] - self.metric.mapped(self.X)[right]
        distance = np.sqrt(np.einsum("ij,ij->i", inner, inner))
        outer: Any = self.metric.outer(distance, Q[left], self.X[right])
        return np.asarray(outer.reshape(len(Q), len(self.X)))


def _sums(u: Floats, weight: Floats, kernel: str) -> Floats:
    if kernel in ("gaussian", "exponential"):
        log_kernel = -0.5 * u**2 if kernel == "gaussian" else -u
        return np.asarray(logsumexp(log_kernel, axis=1, b=weight))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(profile(kernel, u) @ weight))
