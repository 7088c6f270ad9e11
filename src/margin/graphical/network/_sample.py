"""Draws from a network: ancestral without evidence, from the posterior with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array
from margin.graphical._network import Network
from margin.graphical.cpds._gaussian_cpd import GaussianCPD
from margin.graphical.queries._discrete_engine import draw
from margin.graphical.queries._hybrid_query import hybrid_sample


def sample(
    model: Any,
    network: Network,
    n_samples: int,
    evidence: Any,
    do: Mapping[str, Any] | None,
    rng: np.random.Generator,
    as_frame: bool,
) -> Any:
    """Rows as a data frame of state names and numbers, or as a dict of codes and numbers."""
    if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 0:
        raise check.fail(model, "n_samples", "an integer of at least 0", n_samples)
    if evidence is None:
        drawn = ancestral(network.intervene(do) if do else network, int(n_samples), rng)
    elif network.continuous:
        drawn = hybrid_sample(network, evidence, int(n_samples), rng)
    else:
        drawn = _posterior(model, network, int(n_samples), evidence, do, rng)
    if not as_frame:
        return drawn
    import pandas as pd

    words = {
        name: network.domain.decode(name, values) if name in network.domain.index else values
        for name, values in drawn.items()
    }
    return pd.DataFrame({name: words[name] for name in network.names})


def ancestral(network: Network, n: int, rng: np.random.Generator) -> dict[str, Array]:
    """Every node after its parents (graphical.01)."""
    drawn: dict[str, Array] = {}
    for name in network.order:
        parents, cpd = network.parents[name], network.cpds[name]
        if isinstance(cpd, GaussianCPD):
            discrete = [p for p in parents if p in network.domain.index]
            continuous = [p for p in parents if p not in network.domain.index]
            intercept, coef, variance = cpd.arrays(
                f"{network.owner}: CPD of {name!r}", network.cards(discrete), len(continuous)
            )
            at = tuple(drawn[p] for p in discrete)
            mean = np.broadcast_to(intercept[at], (n,)).copy()
            weights = np.broadcast_to(coef[at], (n, len(continuous)))
            for column, parent in enumerate(continuous):
                mean += weights[:, column] * drawn[parent]
            drawn[name] = mean + np.sqrt(variance[at]) * rng.standard_normal(n)
        else:
            table = network.table(name)
            rows = table[tuple(drawn[p] for p in parents)]
            drawn[name] = draw(np.broadcast_to(rows, (n, rows.shape[-1])), rng)
    return drawn


def _posterior(
    model: Any,
    network: Network,
    n: int,
    evidence: Any,
    do: Mapping[str, Any] | None,
    rng: np.random.Generator,
) -> dict[str, Array]:
    if n == 0:
        return {name: np.zeros(0, dtype=np.int64) for name in network.domain.names}
    # Parents first: their posteriors given what is drawn touch the fewest variables.
    names = list(network.order)
    found = model.query(names, evidence, do=do, kind="sample", n_samples=n, random_state=rng)
    rows = found.values.reshape(-1, len(names))
    return {name: network.domain.encode(name, rows[:, at]) for at, name in enumerate(names)}
