"""Continuous nodes from rows: a regression on the continuous parents per discrete state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core.types import Floats, Ints
from margin.graphical._network import Network
from margin.graphical.cpds._gaussian_cpd import ConditionalGaussianCPD, LinearGaussianCPD
from margin.linalg import ridge


def fit_gaussian(
    network: Network,
    name: str,
    columns: Mapping[str, Floats],
    codes: Ints,
    weight: Floats | None,
) -> Any:
    r"""Regression :math:`x = b_d + w_d^\top u + \epsilon_d` by least squares (graphical.20).

    Rows with a gap in the family are passed over. The variance is that of maximum likelihood.
    """
    parents = network.parents[name]
    discrete = [p for p in parents if p in network.domain.index]
    continuous = [p for p in parents if p not in network.domain.index]
    design = np.column_stack([np.empty((len(codes), 0)), *(columns[p] for p in continuous)])
    target = columns[name]
    where = codes[:, [network.domain.index[p] for p in discrete]]
    seen = ~np.isnan(design).any(axis=1) & ~np.isnan(target) & (where >= 0).all(axis=1)
    shape = tuple(network.cards(discrete))
    coef = np.zeros((*shape, design.shape[1]))
    intercept, variance = np.zeros(shape), np.zeros(shape)
    for state in np.ndindex(*shape):
        rows = seen & (where == np.array(state, dtype=np.int64)).all(axis=1)
        if rows.sum() == 0:
            words = ", ".join(
                f"{p}={network.domain.states[p][s]!r}" for p, s in zip(discrete, state, strict=True)
            )
            raise ValueError(
                f"{network.owner}: {name!r} must be observed for every state of its discrete "
                f"parents, got no row with {words or 'a value'}"
            )
        mass = np.ones(int(rows.sum())) if weight is None else weight[rows]
        intercept[state], coef[state], variance[state] = _regress(design[rows], target[rows], mass)
    if not discrete:
        return LinearGaussianCPD(float(intercept), coef, float(variance), parents)
    return ConditionalGaussianCPD(intercept, coef, variance, parents)


def _regress(design: Floats, target: Floats, mass: Floats) -> tuple[float, Floats, float]:
    """Intercept, weights and residual variance."""
    total = float(mass.sum())
    coef, intercept = np.zeros(design.shape[1]), float(mass @ target) / total
    if design.shape[1]:
        fit = ridge(np.ascontiguousarray(design), target[:, None], mass)
        coef, intercept = fit.coef[:, 0], float(fit.intercept[0])
    residual = target - design @ coef - intercept
    return intercept, coef, float(mass @ residual**2) / total
