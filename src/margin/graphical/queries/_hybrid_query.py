"""Exact answers of networks with continuous nodes: mixing over discrete configurations."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core.types import Array
from margin.graphical._network import Network
from margin.graphical.queries._continuous_result import ContinuousResult
from margin.graphical.queries._discrete_engine import draw
from margin.graphical.queries._evidence import Evidence
from margin.graphical.queries._hybrid_rows import HybridRows, hybrid_rows
from margin.graphical.queries._mixed_result import MixedResult
from margin.graphical.queries._result import QueryResult


def hybrid_query(
    network: Network,
    targets: Any,
    evidence: Any = None,
    *,
    do: Any = None,
    kind: str = "marginal",
    **options: Any,
) -> Any:
    """Posterior of discrete targets (a table), continuous ones (a mixture of normals), or both."""
    if kind not in ("marginal", "joint", "map"):
        raise ValueError(
            f"{network.owner}: kind must be 'marginal', 'joint' or 'map' with continuous nodes, "
            f"got {kind!r}"
        )
    network = network.intervene(do) if do else network
    asked = [targets] if isinstance(targets, str) else list(targets or ())
    if not asked:
        raise ValueError(f"{network.owner}: targets must be variables to ask for, got {targets!r}")
    unknown = [name for name in asked if name not in network.parents]
    if unknown:
        raise ValueError(f"{network.owner}: targets must be nodes, got {unknown[0]!r}")
    rows = hybrid_rows(network, evidence)
    continuous = [name for name in asked if name in rows.joint.index]
    if not continuous:
        found = _discrete_answer(network, asked, rows)
        return found.best() if kind == "map" else found
    if kind == "map":
        raise ValueError(
            f"{network.owner}: kind 'map' must ask for discrete targets, got {asked!r}"
        )
    if len(continuous) != len(asked):
        return _mixed_answer(network, asked, continuous, rows)
    return _continuous_answer(asked, rows)


def _discrete_answer(network: Network, asked: list[str], rows: HybridRows) -> QueryResult:
    table = rows.posterior(asked).sum(axis=-1)
    states = tuple(network.domain.states[name] for name in asked)
    batched = rows.discrete.batched
    return QueryResult(tuple(asked), states, table if batched else table[0], batched)


def _continuous_answer(asked: list[str], rows: HybridRows) -> ContinuousResult:
    weights = rows.posterior(())
    means, covariances = rows.normals((), asked)
    return ContinuousResult(tuple(asked), weights, means, covariances, rows.discrete.batched)


def _mixed_answer(
    network: Network, asked: list[str], continuous: list[str], rows: HybridRows
) -> MixedResult:
    discrete = tuple(name for name in asked if name not in continuous)
    means, covariances = rows.normals(discrete, continuous)
    return MixedResult(
        tuple(asked),
        discrete,
        tuple(network.domain.states[name] for name in discrete),
        tuple(continuous),
        rows.posterior(discrete),
        means,
        covariances,
        rows.discrete.batched,
    )


def hybrid_marginals(network: Network, evidence: Any) -> dict[str, Any]:
    """Posterior of every node: a probability vector, or a :class:`ContinuousResult`."""
    return {
        name: answer.values if isinstance(answer, QueryResult) else answer
        for name in network.names
        for answer in [hybrid_query(network, name, evidence)]
    }


def hybrid_log_prob(network: Network, evidence: Any) -> Any:
    """Log-density of every row; gaps are integrated out."""
    rows = hybrid_rows(network, evidence)
    total = rows.log_evidence
    return total if rows.discrete.batched else float(total[0])


def hybrid_sample(
    network: Network, evidence: Any, n: int, rng: np.random.Generator
) -> dict[str, Array]:
    """Draws of everything given one row of evidence."""
    rows = hybrid_rows(network, evidence)
    if len(rows.values) != 1:
        raise ValueError(
            f"{network.owner}: evidence must be one row to sample, got {len(rows.values)}"
        )
    joint = rows.joint
    weights = rows.posterior(())
    picked = draw(np.repeat(weights, n, axis=0), rng)
    cards = network.cards(joint.switches)
    codes: Array = np.repeat(rows.discrete.codes, n, axis=0)
    if cards:
        at = [network.domain.index[s] for s in joint.switches]
        codes[:, at] = np.stack(np.unravel_index(picked, cards), axis=1)
    if network.domain.names:
        every = list(range(len(network.domain.names)))
        weak = {v: np.repeat(a, n, axis=0) for v, a in rows.hard.likelihoods.items()}
        known = Evidence(codes.astype(np.int32), weak, batched=True)
        codes = rows.engine.sample(every, known, 1, rng)[:, 0]
    drawn: dict[str, Array] = {name: codes[:, at] for name, at in network.domain.index.items()}
    observed = np.flatnonzero(~np.isnan(rows.values[0]))
    open_nodes = np.flatnonzero(np.isnan(rows.values[0]))
    values = np.repeat(rows.values, n, axis=0)
    means, spreads = joint.condition(observed, rows.values[:, observed], open_nodes)
    for configuration in np.unique(picked):
        at_rows = np.flatnonzero(picked == configuration)
        values[np.ix_(at_rows, open_nodes)] = rng.multivariate_normal(
            means[0, configuration], spreads[configuration], size=len(at_rows), method="eigh"
        )
    drawn.update({name: values[:, at] for name, at in joint.index.items()})
    return drawn
