"""Posteriors of continuous variables: a normal, or a mixture of normals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from margin.core import extra
from margin.core.types import Floats
from margin.distributions import MultivariateNormal
from margin.graphical.answers._by_target import ByTarget
from margin.graphical.answers._result import aligned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class ContinuousResult(ByTarget):
    r"""Mixture :math:`\sum_d w_d N(\mu_d, \Sigma_d)` per row of evidence.

    Parameters
    ----------
    variables : tuple of str
        Targets.
    weights : ndarray of shape (n_rows, n_components)
        Posterior of the states of the discrete parents; one component in a linear-Gaussian network.
    means : ndarray of shape (n_rows, n_components, n_targets)
    covariances : ndarray of shape (n_rows, n_components, n_targets, n_targets)
    batched : bool
        Whether rows were asked for.
    """

    variables: tuple[str, ...]
    weights: Floats
    means: Floats
    covariances: Floats
    batched: bool = False

    def _part(self, name: str) -> ContinuousResult:
        """The posterior of one target alone."""
        at = [self.variables.index(name)]
        return replace(
            self,
            variables=(name,),
            means=self.means[..., at],
            covariances=self.covariances[..., at, :][..., at],
        )

    @property
    def mean(self) -> Floats:
        """Posterior means, of shape (n_targets,) or (n_rows, n_targets)."""
        mean: Floats = self._given(centre_of(self.weights, self.means))
        return mean

    @property
    def covariance(self) -> Floats:
        """Posterior covariance: within the components and between them."""
        centre = centre_of(self.weights, self.means)
        gap = self.means - centre[:, None]
        within = np.einsum("rk,rkts->rts", self.weights, self.covariances)
        between = np.einsum("rk,rkt,rks->rts", self.weights, gap, gap)
        covariance: Floats = self._given(within + between)
        return covariance

    @property
    def var(self) -> Floats:
        """Posterior variances."""
        return np.diagonal(self.covariance, axis1=-2, axis2=-1)

    @property
    def values(self) -> Floats:
        """The means: the answer in one number per target."""
        return self.mean

    def log_prob(self, x: Any) -> Any:
        """Log-density of the targets at ``x``, of shape (n_targets,) or (n_rows, n_targets).

        A target without variance, an observed one say, is a point: it adds nothing at its value
        and minus infinity elsewhere.
        """
        points = np.broadcast_to(np.asarray(x, dtype=np.float64), self.means[:, 0].shape)
        scores = np.empty(self.weights.shape)
        for row, component in np.ndindex(*scores.shape):
            mean, spread = self.means[row, component], self.covariances[row, component]
            scores[row, component] = _log_density(points[row], mean, spread)
        with np.errstate(divide="ignore"):
            return self._given(logsumexp(scores + np.log(self.weights), axis=1))

    def distribution(self, row: int = 0) -> MultivariateNormal:
        """The posterior as one normal, where there is one component."""
        if self.weights.shape[1] != 1:
            raise ValueError(
                f"ContinuousResult: distribution must have one component, "
                f"got {self.weights.shape[1]}"
            )
        points = np.flatnonzero(np.diagonal(self.covariances[row, 0]) == 0)
        if len(points):
            raise ValueError(
                "ContinuousResult: distribution must be of targets with a variance, "
                f"got {self.variables[points[0]]!r} with none"
            )
        return MultivariateNormal(self.means[row, 0], self.covariances[row, 0])

    def to_frame(self) -> pd.DataFrame:
        """Means and standard deviations: one row per target, or per query for rows."""
        pd = extra("pandas", "to_frame")
        sd = np.sqrt(self.var)
        if not self.batched:
            return pd.DataFrame({"mean": self.mean, "sd": sd}, index=list(self.variables))
        columns = pd.MultiIndex.from_product([self.variables, ["mean", "sd"]])
        both = np.stack([self.mean, sd], axis=-1).reshape(len(self.weights), -1)
        return pd.DataFrame(both, columns=columns)

    def _given(self, values: Any) -> Any:
        return values if self.batched else values[0]

    def __repr__(self) -> str:
        if self.batched:
            return f"ContinuousResult: {len(self.weights)} queries of {', '.join(self.variables)}"
        sd = np.sqrt(self.var)
        rows = [("variable", "mean", "sd")]
        rows += [
            (str(v), f"{m:.6g}", f"{s:.6g}")
            for v, m, s in zip(self.variables, self.mean, sd, strict=True)
        ]
        return aligned(rows)


def _log_density(point: Floats, mean: Floats, spread: Floats) -> float:
    """Log-density of a normal some of whose entries may have no variance."""
    wide = np.diagonal(spread) > 0
    if not np.array_equal(point[~wide], mean[~wide]):
        return -np.inf
    if not wide.any():
        return 0.0
    normal = MultivariateNormal(mean[wide], spread[np.ix_(wide, wide)])
    return float(normal.log_prob(point[wide]))


def centre_of(weights: Floats, means: Floats) -> Floats:
    """Means of mixtures, exact where all components agree: an observed node has its value.

    Examples
    --------
    >>> float(centre_of(np.array([[0.1, 0.2, 0.7]]), np.full((1, 3, 1), 0.3))[0, 0])
    0.3
    """
    first = means[..., 0, :]
    shift: Floats = np.einsum("...k,...kt->...t", weights, means - first[..., None, :])
    return first + shift
