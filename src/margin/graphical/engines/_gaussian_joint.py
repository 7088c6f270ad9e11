"""The continuous nodes as one normal distribution per state of their discrete parents."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from margin.core.types import Floats, Places
from margin.graphical._network import Network
from margin.graphical.cpds._gaussian_cpd import GaussianCPD

MAX_NUMBERS = 2**26


@dataclass(frozen=True, eq=False)
class GaussianJoint:
    r"""Normal distributions :math:`N(\mu_d, \Sigma_d)` of the continuous nodes.

    Parameters
    ----------
    names : tuple of str
        Continuous nodes, parents first.
    switches : tuple of str
        Discrete nodes with continuous children; their configurations index the normals.
    mean : ndarray of shape (n_configurations, n)
    covariance : ndarray of shape (n_configurations, n, n)
    """

    names: tuple[str, ...]
    switches: tuple[str, ...]
    mean: Floats
    covariance: Floats

    @property
    def index(self) -> dict[str, int]:
        """Position of every continuous node."""
        return {name: at for at, name in enumerate(self.names)}

    def log_density(self, columns: Places, values: Floats) -> Floats:
        """Log-densities of rows of values under every normal, of shape (n_rows, configurations)."""
        if not len(columns):
            return np.zeros((len(values), len(self.mean)))
        factor = self._factor(columns)
        gap = values[None] - self.mean[:, None, columns]
        white = np.linalg.solve(factor, gap.transpose(0, 2, 1))
        log_det = np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1)
        constant = 0.5 * len(columns) * np.log(2 * np.pi)
        with np.errstate(over="ignore"):
            density: Floats = -0.5 * (white**2).sum(axis=1) - log_det[:, None] - constant
        return density.T

    def condition(self, columns: Places, values: Floats, targets: Places) -> tuple[Floats, Floats]:
        """Means (n_rows, configurations, targets) and covariances of the targets given columns.

        A target among the columns has its value, and neither variance nor covariance: exact
        zeros, where the difference would leave its rounding.
        """
        mean = self.mean[:, targets]
        spread = self.covariance[:, targets[:, None], targets]
        if not len(columns):
            return np.broadcast_to(mean, (len(values), *mean.shape)).copy(), spread
        factor = self._factor(columns)
        cross = np.linalg.solve(factor, self.covariance[:, columns[:, None], targets])
        gap = values[None] - self.mean[:, None, columns]
        white = np.linalg.solve(factor, gap.transpose(0, 2, 1))
        shift = np.einsum("kct,kcr->rkt", cross, white)
        left = spread - np.einsum("kct,kcs->kts", cross, cross)
        every = np.arange(len(targets))
        left[:, every, every] = np.maximum(left[:, every, every], 0.0)
        means = mean[None] + shift
        seen, source = np.nonzero(targets[:, None] == columns)
        means[:, :, seen] = values[:, None, source]
        left[:, seen, :] = 0.0
        left[:, :, seen] = 0.0
        return means, left

    def _factor(self, columns: Places) -> Floats:
        part = self.covariance[:, columns[:, None], columns]
        try:
            return np.asarray(np.linalg.cholesky(part), dtype=np.float64)
        except np.linalg.LinAlgError:
            shown = ", ".join(self.names[c] for c in columns)
            raise ValueError(
                f"BayesianNetwork: observed nodes must have a density, got a singular covariance "
                f"of {shown}"
            ) from None


def gaussian_joint(network: Network) -> GaussianJoint:
    r"""Moments by recursion along the arrows.

    With :math:`x_j = b + w^\top x_{\mathrm{pa}} + \epsilon`:
    :math:`\mu_j = b + w^\top \mu_{\mathrm{pa}}`,
    :math:`\Sigma_{j, \cdot} = w^\top \Sigma_{\mathrm{pa}, \cdot}`,
    :math:`\Sigma_{jj} = s^2 + w^\top \Sigma_{\mathrm{pa}, \mathrm{pa}} w`.
    """
    names = network.continuous
    switches = tuple(
        name
        for name in network.domain.names
        if any(name in network.parents[child] for child in names)
    )
    cards = network.cards(switches)
    n, k = len(names), prod(cards)
    if k * n * n > MAX_NUMBERS:
        raise ValueError(
            f"{network.owner}: discrete parents of continuous nodes must have at most "
            f"{MAX_NUMBERS // max(n * n, 1)} configurations, got {k}"
        )
    grid = np.indices(cards).reshape(len(cards), -1) if cards else np.zeros((0, 1), np.intp)
    index = {name: at for at, name in enumerate(names)}
    mean, covariance = np.zeros((k, n)), np.zeros((k, n, n))
    for j, name in enumerate(names):
        cpd = network.cpds[name]
        assert isinstance(cpd, GaussianCPD)
        discrete = [p for p in network.parents[name] if p in network.domain.index]
        sources = [index[p] for p in network.parents[name] if p in index]
        label = f"{network.owner}: CPD of {name!r}"
        arrays = cpd.arrays(label, network.cards(discrete), len(sources))
        at = tuple(grid[switches.index(p)] for p in discrete)
        intercept, coef, variance = (
            np.broadcast_to(a[at], (k, *a.shape[len(discrete) :])) for a in arrays
        )
        mean[:, j] = intercept + np.einsum("kp,kp->k", coef, mean[:, sources])
        row = np.einsum("kp,kpj->kj", coef, covariance[:, sources, :j])
        covariance[:, j, :j], covariance[:, :j, j] = row, row
        covariance[:, j, j] = variance + np.einsum("kp,kp->k", coef, row[:, sources])
    return GaussianJoint(names, switches, mean, covariance)
