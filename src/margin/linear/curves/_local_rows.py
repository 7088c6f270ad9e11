"""Least squares fitted anew around every query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Places
from margin.linear.curves._local_planes import kernel_weights, plane_smoothers, plane_values

_CHUNK = 2**18  # numbers held at once by one thread: what a cache holds
_LEAST_FREEDOM = 1e-6  # share of the near rows that must be left to estimate the noise by


@dataclass(frozen=True)
class LocalSettings:
    """Which rows count as near, and what is fitted to them.

    Parameters
    ----------
    bandwidth : float or None
        Width of the kernel; ``None`` for the distance within which ``span`` of the weight lies.
    span : float
    kernel : {"tricube", "gaussian", "epanechnikov"}
    degree : {0, 1}
    n_threads : int
    """

    bandwidth: float | None
    span: float
    kernel: str
    degree: int
    n_threads: int


@dataclass(frozen=True, eq=False)
class LocalRows:
    """Rows of a fit, ready to answer queries in their coordinates.

    Parameters
    ----------
    rows, target, weight : ndarray of shape (n, p), (n,) and (n,)
        All weights are above 0.
    robustness : ndarray of shape (n,)
        What else a row counts, from 1 down to 0 for an outlier.
    settings : LocalSettings
    """

    rows: Floats
    target: Floats
    weight: Floats
    robustness: Floats
    settings: LocalSettings

    def values(self, queries: Floats) -> Floats:
        """Value of the local fit at every query."""
        return np.concatenate(self._by_blocks(self._values, queries))

    def reweighted(self, n_times: int, tick: Callback) -> tuple[LocalRows, Solution]:
        """Robustness by the residuals of the rows themselves, over and over."""
        left = "reweightings left"
        stop = Stop(left, 0.0, n_times + 1, unit="pass", keep="last", advice=("fit again",))
        solution = iterate(self._passes(n_times), stop, callback=tick)
        return replace(self, robustness=solution.x), solution

    def _passes(self, n_times: int) -> Iterator[Iterate]:
        near = self
        for left in range(n_times, -1, -1):
            residual = near.target - near.values(near.rows)
            value = float(near.weight @ (near.robustness * residual**2))
            size = np.abs(residual)
            limit = 6.0 * weighted_quantile(size[None], near._shares[None], 0.5)[0]
            exact = limit <= 1e-12 * max(float(np.abs(near.target).max()), 1e-300)
            n_iter = n_times - left + 1
            yield Iterate(near.robustness, value, 0.0 if exact else float(left), n_iter)
            near = replace(near, robustness=(1 - np.minimum(size / limit, 1.0) ** 2) ** 2)

    @cached_property
    def _shares(self) -> Floats:
        """Weights of which the largest is about one, so that sums of products stay finite."""
        return in_units(self.weight)

    @property
    def leaves_freedom(self) -> bool:
        """Whether the fits leave anything to estimate the noise by."""
        _, freedom = self._errors
        share = self._shares * self.robustness
        return bool(share @ freedom > _LEAST_FREEDOM * share.sum())

    def variances(self, queries: Floats) -> Floats:
        r"""Variance of a new target at every query.

        With the weights :math:`l` of the targets in the local fit, :math:`\hat y(q) = l^\top y`,
        and those of a training row in its own, :math:`l^{(i)}`,

        .. math:: \hat\sigma^2(q) \Big(1 + \sum_j \frac{l_j^2}{s_j}\Big), \qquad \hat\sigma^2(q) =
                  \frac{\sum_i k_i(q)\, (y_i - \hat y(x_i))^2}{\sum_i k_i(q)\, \delta_i}, \quad
                  \delta_i = 1 - \frac{2\, l^{(i)}_i}{s_i} + \sum_j \frac{(l^{(i)}_j)^2}{s_j} ,

        with :math:`k_i(q)` the weights of the local fit: :math:`E[(y_i - \hat y(x_i))^2] =
        \sigma^2 \delta_i` where the fit has no bias.
        """
        return np.concatenate(self._by_blocks(self._variances, queries))

    def _by_blocks(self, answer: Callable[[Any], Floats], queries: Array) -> list[Floats]:
        """Blocks of queries, whose size does not depend on the number of threads."""
        width = len(self.rows) * (2 + self.rows.shape[1] * self.settings.degree)
        size = max(1, _CHUNK // max(width, 1))
        blocks = [queries[i : i + size] for i in range(0, len(queries), size)]
        n_threads = min(self.settings.n_threads, len(blocks))
        if n_threads == 1:
            return [answer(block) for block in blocks]
        with ThreadPoolExecutor(n_threads) as pool:
            return list(pool.map(answer, blocks))

    def _near(self, queries: Floats) -> Floats:
        """Weight of every row in the fit at every query."""
        distance = cdist(queries, self.rows)
        if self.settings.bandwidth is None:
            h = weighted_quantile(distance, self._shares[None], self.settings.span)
            # The row at the border would have no weight; ties with the query need some width.
            h = np.maximum(h * (1 + 1e-9), 1e-9 * (1 + np.abs(queries).max(axis=1)))
        else:
            h = np.full(len(queries), self.settings.bandwidth)
        u = distance / h[:, None]
        near = self._shares * self.robustness * kernel_weights(self.settings.kernel, u)
        empty = np.flatnonzero(near.sum(axis=1) <= 1e-280)
        for i in empty:  # nobody near: the nearest rows that are not outliers answer
            reach = np.where(self.robustness > 0, distance[i], np.inf)
            near[i] = self._shares * (reach <= reach.min() * (1 + 1e-9))
        return np.asarray(near)

    def _values(self, queries: Floats) -> Floats:
        near = self._near(queries)
        if self.settings.degree == 0:
            return np.asarray((near @ self.target) / near.sum(axis=1))
        return plane_values(queries, self.rows, self.target, near)

    def _smoothers(self, queries: Floats, near: Floats) -> Floats:
        """Weights of all targets in the value at every query."""
        if self.settings.degree == 0:
            return np.asarray(near / near.sum(axis=1, keepdims=True))
        return plane_smoothers(queries, self.rows, near)

    def _variances(self, queries: Floats) -> Floats:
        near = self._near(queries)
        squares, freedom = self._errors
        share = self._shares * self.robustness
        wide = float(share @ squares) / float(share @ freedom)
        left = near @ freedom
        enough = left > _LEAST_FREEDOM * near.sum(axis=1)
        noise = np.where(enough, (near @ squares) / np.where(enough, left, 1.0), wide)
        smoothers = self._smoothers(queries, near)
        return np.asarray(noise * (1.0 + smoothers**2 @ (1.0 / self.weight)))

    @cached_property
    def _errors(self) -> tuple[Floats, Floats]:
        """Squared residual of every row, and what it would be for noise of variance one."""
        own = np.concatenate(self._by_blocks(self._own_errors, np.arange(len(self.rows))))
        return own[:, 0], own[:, 1]

    def _own_errors(self, index: Places) -> Floats:
        queries = self.rows[index]
        smoothers = self._smoothers(queries, self._near(queries))
        residual = self.target[index] - smoothers @ self.target
        self_share = smoothers[np.arange(len(index)), index] / self.weight[index]
        freedom = 1.0 - 2.0 * self_share + smoothers**2 @ (1.0 / self.weight)
        return np.column_stack([residual**2, np.maximum(freedom, 0.0)])


def in_units(weight: Floats) -> Floats:
    """Weights in units of a power of two near the largest, to the same digits.

    Examples
    --------
    >>> in_units(np.array([1e300, 5e299])).round(3)
    array([0.747, 0.373])
    """
    return np.asarray(np.ldexp(weight, -np.frexp(weight.max())[1]))


def weighted_quantile(values: Floats, weight: Floats, fraction: float) -> Floats:
    """Per row, the smallest value below which lies the fraction of the weight.

    Examples
    --------
    >>> weighted_quantile(np.array([[3.0, 1.0, 2.0]]), np.ones((1, 3)), 0.5)
    array([2.])
    """
    if weight.min() == weight.max():  # no need to sort
        place = max(int(np.ceil(fraction * values.shape[1] * (1 - 1e-12))) - 1, 0)
        return np.asarray(np.partition(values, place, axis=1)[:, place])
    order = np.argsort(values, axis=1)
    mass = np.cumsum(np.take_along_axis(np.broadcast_to(weight, values.shape), order, 1), axis=1)
    first = np.argmax(mass >= fraction * mass[:, -1:] * (1 - 1e-12), axis=1)
    ordered = np.take_along_axis(values, order, 1)
    return np.asarray(np.take_along_axis(ordered, first[:, None], 1)[:, 0])
