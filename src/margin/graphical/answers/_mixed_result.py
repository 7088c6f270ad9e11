"""Posteriors of discrete and continuous variables together."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import extra
from margin.core.types import Floats
from margin.graphical.answers._by_target import ByTarget
from margin.graphical.answers._continuous_result import ContinuousResult, centre_of
from margin.graphical.answers._result import QueryResult, aligned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ConditionalMoments:
    """Mean and covariance of the continuous targets under every configuration of the discrete ones.

    Parameters
    ----------
    mean : ndarray of shape ([n_rows,] cards …, n_continuous)
    covariance : ndarray of shape ([n_rows,] cards …, n_continuous, n_continuous)
    """

    mean: Floats
    covariance: Floats


@dataclass(frozen=True, repr=False, eq=False)
class MixedResult(ByTarget):
    r"""Conditional Gaussian :math:`p(d, x) = \sum_k w_{dk} N(x; \mu_{dk}, \Sigma_{dk})` per row.

    :math:`d` runs over the states of the discrete targets, :math:`k` over those of the other
    discrete parents of continuous nodes; with a single :math:`k` the continuous targets are normal
    given the discrete ones.

    Parameters
    ----------
    variables : tuple of str
        All targets, as asked.
    discrete : tuple of str
        Those that are discrete, in the order of the axes.
    states : tuple of tuple
        State names of each.
    continuous : tuple of str
        The other targets.
    weights : ndarray of shape (n_rows, cards …, n_components)
        :math:`w_{dk}`, summing to one.
    means : ndarray of shape (n_rows, cards …, n_components, n_continuous)
        An axis of a discrete target that the continuous ones do not depend on may have length one.
    covariances : ndarray of shape (n_rows, cards …, n_components, n_continuous, n_continuous)
    batched : bool
        Whether rows were asked for.

    Examples
    --------
    >>> import numpy as np
    >>> result = MixedResult(
    ...     ("loaded", "weight"), ("loaded",), (("no", "yes"),), ("weight",),
    ...     np.array([[[0.8], [0.2]]]), np.array([[[[1.0]], [[3.0]]]]),
    ...     np.full((1, 2, 1, 1, 1), 0.25))
    >>> result
    loaded  probability  weight mean  weight sd
    no      0.8          1            0.5
    yes     0.2          3            0.5
    >>> result.conditional.mean.tolist(), result.given(loaded="yes").mean.tolist()
    ([[1.0], [3.0]], [3.0])
    >>> result.marginal.mean.round(2).tolist()
    [1.4]
    """

    variables: tuple[str, ...]
    discrete: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    continuous: tuple[str, ...]
    weights: Floats
    means: Floats
    covariances: Floats
    batched: bool = False

    def _part(self, name: str) -> Any:
        """Probabilities of the states of a discrete target, the posterior of a continuous one."""
        return self.table[name] if name in self.discrete else self.marginal[name]

    @property
    def values(self) -> Floats:
        """Probabilities of the discrete targets, of shape ([n_rows,] cards …)."""
        return self._given(self.weights.sum(axis=-1))

    @property
    def table(self) -> QueryResult:
        """The discrete targets alone."""
        return QueryResult(self.discrete, self.states, self.values, self.batched)

    @property
    def marginal(self) -> ContinuousResult:
        """The continuous targets alone: a mixture over all configurations."""
        return self._mixture(self.weights, self.means, self.covariances)

    @property
    def conditional(self) -> ConditionalMoments:
        """Exact moments given every configuration of the discrete targets.

        Where a configuration is impossible its components count alike.
        """
        total = self.weights.sum(axis=-1, keepdims=True)
        share = np.full_like(self.weights, 1.0 / self.weights.shape[-1])
        np.divide(self.weights, total, out=share, where=total > 0)
        mean = centre_of(share, self.means)
        gap = self.means - mean[..., None, :]
        spread = np.einsum("...k,...kts->...ts", share, self.covariances)
        spread = spread + np.einsum("...k,...kt,...ks->...ts", share, gap, gap)
        return ConditionalMoments(self._given(mean), self._given(spread))

    def given(self, **states: Hashable) -> ContinuousResult:
        """The continuous targets given states of some of the discrete targets."""
        at: list[Any] = [slice(None)]
        for name in states:
            if name not in self.discrete:
                raise ValueError(f"MixedResult: variable must be a discrete target, got {name!r}")
        for name, known in zip(self.discrete, self.states, strict=True):
            if name in states and states[name] not in known:
                raise ValueError(
                    f"MixedResult: state of {name!r} must be one of {known}, got {states[name]!r}"
                )
            code = known.index(states[name]) if name in states else None
            at.append(slice(None) if code is None else slice(code, code + 1))
        shape = self.weights.shape
        means = np.broadcast_to(self.means, (*shape, *self.means.shape[-1:]))
        covariances = np.broadcast_to(self.covariances, (*shape, *self.covariances.shape[-2:]))
        weights = self.weights[tuple(at)]
        total = weights.sum(axis=tuple(range(1, weights.ndim)), keepdims=True)
        if not (total > 0).all():
            raise ValueError(
                f"MixedResult: states must be possible, got probability 0 for {states}"
            )
        return self._mixture(weights / total, means[tuple(at)], covariances[tuple(at)])

    def to_frame(self) -> pd.DataFrame:
        """One row per configuration (of each query): its probability, means and deviations."""
        pd = extra("pandas", "to_frame")
        n_rows, table = len(self.weights), list(product(*self.states))
        frame = pd.DataFrame(table * n_rows, columns=list(self.discrete))
        if self.batched:
            row = np.repeat(np.arange(n_rows), len(table))
            frame = frame.set_index(pd.Index(row, name="row"))
        frame["probability"] = self.values.ravel()
        moments, t = self.conditional, len(self.continuous)
        mean = moments.mean.reshape(-1, t)
        sd = np.sqrt(np.diagonal(moments.covariance, axis1=-2, axis2=-1)).reshape(-1, t)
        for at, name in enumerate(self.continuous):
            frame[f"{name} mean"], frame[f"{name} sd"] = mean[:, at], sd[:, at]
        return frame

    def _mixture(self, weights: Floats, means: Floats, covariances: Floats) -> ContinuousResult:
        n_rows, t = len(weights), len(self.continuous)
        means = np.broadcast_to(means, (*weights.shape, t))
        covariances = np.broadcast_to(covariances, (*weights.shape, t, t))
        return ContinuousResult(
            self.continuous,
            weights.reshape(n_rows, -1),
            means.reshape(n_rows, -1, t),
            covariances.reshape(n_rows, -1, t, t),
            self.batched,
        )

    def _given(self, values: Floats) -> Floats:
        return values if self.batched else values[0]

    def __repr__(self) -> str:
        if self.batched:
            return f"MixedResult: {len(self.weights)} queries of {', '.join(self.variables)}"
        frame = self.to_frame()
        most = 40
        rows: list[tuple[str, ...]] = [tuple(map(str, frame.columns))]
        for row in frame.head(most).itertuples(index=False):
            d = len(self.discrete)
            rows.append((*map(str, row[:d]), *(f"{value:.6g}" for value in row[d:])))
        return aligned(rows) + ("\n…" if len(frame) > most else "")
