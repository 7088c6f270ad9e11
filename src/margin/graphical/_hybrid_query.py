"""Exact answers of networks with continuous nodes: mixing over discrete configurations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from margin.core import missing
from margin.graphical._continuous_result import ContinuousResult
from margin.graphical._discrete_engine import DiscreteEngine, draw
from margin.graphical._evidence import Evidence, parse
from margin.graphical._gaussian_joint import GaussianJoint, gaussian_joint
from margin.graphical._network import Network
from margin.graphical._result import QueryResult

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HybridRows:
    r"""Evidence on both kinds of nodes, and what it says about the discrete configurations.

    The posterior of a configuration :math:`d` of the discrete parents of continuous nodes is
    proportional to :math:`p(d \mid e_{\text{discrete}})\, N(e_{\text{cont}}; \mu_d, \Sigma_d)`.
    """

    network: Network
    discrete: Evidence
    values: Floats

    @cached_property
    def joint(self) -> GaussianJoint:
        """The normals."""
        return gaussian_joint(self.network)

    @cached_property
    def engine(self) -> DiscreteEngine:
        """The discrete part, which nothing continuous points at."""
        kept = set(self.network.domain.names)
        part = self.network.restricted(kept)
        return DiscreteEngine(part.domain, *part.factors())

    def groups(self) -> Iterator[missing.Pattern]:
        """Rows with the same observed continuous nodes."""
        return missing.patterns(self.values)

    @cached_property
    def log_density(self) -> Floats:
        """Log-densities of the continuous evidence, of shape (n_rows, configurations)."""
        result = np.zeros((len(self.values), len(self.joint.mean)))
        for rows, columns in self.groups():
            result[rows] = self.joint.log_density(columns, self.values[np.ix_(rows, columns)])
        return result

    def posterior(self, targets: Sequence[str]) -> tuple[Floats, Floats]:
        """Joint of discrete targets and configurations given all evidence; log-evidence.

        Shapes (n_rows, *cards of the targets, configurations) and (n_rows,).
        """
        n_rows = len(self.values)
        index = self.engine.domain.index
        free = [s for s in self.joint.switches if s not in targets]
        asked = [index[t] for t in (*targets, *free)]
        has_nodes = bool(self.engine.domain.names)
        table = self.engine.joint(asked, self.discrete) if has_nodes else np.ones((n_rows, 1))
        cards = [len(self.network.domain.states[t]) for t in targets]
        table = table.reshape(n_rows, *cards, -1)
        weight = self._aligned(targets, free)
        with np.errstate(divide="ignore"):
            scores = np.log(table) + weight
        axes = tuple(range(1, scores.ndim))
        total = logsumexp(scores, axis=axes, keepdims=True)
        prior = self.engine.log_evidence(self.discrete) if has_nodes else np.zeros(n_rows)
        return np.exp(scores - total), prior + total.reshape(n_rows)

    def _aligned(self, targets: Sequence[str], free: Sequence[str]) -> Floats:
        """Log-densities with the axes (row, *targets, free switches), broadcast over targets."""
        switches = self.joint.switches
        cards = self.network.cards(switches)
        density = self.log_density.reshape(len(self.values), *cards)
        shared = [t for t in targets if t in switches]
        order = [0, *(1 + switches.index(s) for s in (*shared, *free))]
        density = density.transpose(order)
        shape = [len(self.values)]
        shape += [len(self.network.domain.states[t]) if t in switches else 1 for t in targets]
        return density.reshape(*shape, -1)


def _rows(network: Network, evidence: Any) -> HybridRows:
    """Split evidence into its discrete and its continuous part."""
    names = network.continuous
    if evidence is None:
        return HybridRows(network, parse(network.domain, None), np.full((1, len(names)), np.nan))
    if hasattr(evidence, "columns"):
        held = [name for name in names if name in evidence.columns]
        rest = [name for name in evidence.columns if name not in held]
        values = np.full((len(evidence), len(names)), np.nan)
        for name in held:
            values[:, names.index(name)] = _numbers(network, name, evidence[name])
        if rest:
            return HybridRows(network, parse(network.domain, evidence[rest]), values)
        empty = np.full((len(evidence), len(network.domain.names)), -1, dtype=np.int32)
        return HybridRows(network, Evidence(empty, batched=True), values)
    if not isinstance(evidence, Mapping):
        raise ValueError(
            f"{network.owner}: evidence must be None, a mapping or a data frame, "
            f"got {type(evidence).__name__}"
        )
    values = np.full((1, len(names)), np.nan)
    for name in names:
        if name in evidence:
            values[0, names.index(name)] = _numbers(network, name, [evidence[name]])[0]
    rest_of = {name: state for name, state in evidence.items() if name not in names}
    return HybridRows(network, parse(network.domain, rest_of), values)


def _numbers(network: Network, name: str, values: Any) -> Floats:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{network.owner}: evidence on {name!r} must be a number") from None
    if np.isinf(numbers).any():
        raise ValueError(f"{network.owner}: evidence on {name!r} must be finite, got infinity")
    return numbers


def hybrid_query(
    network: Network,
    targets: Any,
    evidence: Any = None,
    *,
    do: Any = None,
    kind: str = "marginal",
    **options: Any,
) -> Any:
    """Posterior of discrete targets (a table) or of continuous ones (a mixture of normals)."""
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
    rows = _rows(network, evidence)
    continuous = [name for name in asked if name in rows.joint.index]
    if not continuous:
        found = _discrete_answer(network, asked, rows)
        return found.best() if kind == "map" else found
    if kind == "map":
        raise ValueError(
            f"{network.owner}: kind 'map' must ask for discrete targets, got {asked!r}"
        )
    if len(continuous) != len(asked):
        raise ValueError(
            f"{network.owner}: targets must be all discrete or all continuous, got {asked!r}"
        )
    return _continuous_answer(asked, rows)


def _discrete_answer(network: Network, asked: list[str], rows: HybridRows) -> QueryResult:
    table = rows.posterior(asked)[0].sum(axis=-1)
    states = tuple(network.domain.states[name] for name in asked)
    batched = rows.discrete.batched
    return QueryResult(tuple(asked), states, table if batched else table[0], batched)


def _continuous_answer(asked: list[str], rows: HybridRows) -> ContinuousResult:
    targets = np.array([rows.joint.index[name] for name in asked])
    weights = rows.posterior(())[0].reshape(len(rows.values), -1)
    k, t = weights.shape[1], len(targets)
    means = np.empty((len(weights), k, t))
    covariances = np.empty((len(weights), k, t, t))
    for at, columns in rows.groups():
        values = rows.values[np.ix_(at, columns)]
        means[at], covariances[at] = rows.joint.condition(columns, values, targets)
    return ContinuousResult(tuple(asked), weights, means, covariances, rows.discrete.batched)


def hybrid_marginals(network: Network, evidence: Any) -> dict[str, Any]:
    """Posterior of every node: a probability vector, or a :class:`ContinuousResult`."""
    return {
        name: answer.values if isinstance(answer, QueryResult) else answer
        for name in network.names
        for answer in [hybrid_query(network, name, evidence)]
    }


def hybrid_log_prob(network: Network, evidence: Any) -> Any:
    """Log-density of every row; gaps are integrated out."""
    rows = _rows(network, evidence)
    total = rows.posterior(())[1]
    return total if rows.discrete.batched else float(total[0])


def hybrid_sample(
    network: Network, evidence: Any, n: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Draws of everything given one row of evidence."""
    rows = _rows(network, evidence)
    if len(rows.values) != 1:
        raise ValueError(
            f"{network.owner}: evidence must be one row to sample, got {len(rows.values)}"
        )
    joint = rows.joint
    weights = rows.posterior(())[0].reshape(1, -1)
    picked = draw(np.repeat(weights, n, axis=0), rng)
    cards = network.cards(joint.switches)
    codes: NDArray[Any] = np.repeat(rows.discrete.codes, n, axis=0)
    if cards:
        at = [network.domain.index[s] for s in joint.switches]
        codes[:, at] = np.stack(np.unravel_index(picked, cards), axis=1)
    if network.domain.names:
        every = list(range(len(network.domain.names)))
        known = Evidence(codes.astype(np.int32), batched=True)
        codes = rows.engine.sample(every, known, 1, rng)[:, 0]
    drawn: dict[str, NDArray[Any]] = {
        name: codes[:, at] for name, at in network.domain.index.items()
    }
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
