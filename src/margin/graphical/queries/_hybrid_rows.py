"""Evidence on discrete and continuous nodes, and the configurations it speaks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core import missing
from margin.core.types import Floats, Places
from margin.graphical._network import Network
from margin.graphical.queries._discrete_engine import DiscreteEngine
from margin.graphical.queries._evidence import Evidence, parse
from margin.graphical.queries._gaussian_joint import GaussianJoint, gaussian_joint
from margin.graphical.queries._jeffrey import refuse_both, unattainable
from margin.inference import UnattainableError, fit_soft


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

    def posterior(self, targets: Sequence[str]) -> Floats:
        """Joint of discrete targets and the other switches given all evidence.

        Of shape (n_rows, *cards of the targets, configurations of the other switches).
        """
        scores = self._scores(targets, self.hard)
        flat = scores.reshape(len(scores), prod(scores.shape[1:]))
        total = logsumexp(flat, axis=1, keepdims=True)
        bad = np.flatnonzero(np.isneginf(total))
        if len(bad):
            where = f" in row {bad[0]}" if self.discrete.batched else ""
            owner = self.network.owner
            raise ValueError(f"{owner}: evidence{where} must be possible, got a density of 0")
        return np.asarray(np.exp(flat - total), dtype=np.float64).reshape(scores.shape)

    @property
    def log_evidence(self) -> Floats:
        """Log-density of the evidence of every row."""
        prior = np.zeros(len(self.values))
        if self.engine.domain.names:
            prior = self.engine.log_evidence(self.discrete)
        scores = self._scores((), self.discrete)
        return np.asarray(prior + logsumexp(scores, axis=1), dtype=np.float64)

    def normals(self, targets: Sequence[str], nodes: Sequence[str]) -> tuple[Floats, Floats]:
        """Means and covariances of continuous nodes, with the axes of :meth:`posterior` first.

        An axis of a target that no continuous node depends on has length one.
        """
        at = np.array([self.joint.index[name] for name in nodes])
        n_rows, k, t = len(self.values), len(self.joint.mean), len(nodes)
        means, covariances = np.empty((n_rows, k, t)), np.empty((n_rows, k, t, t))
        for rows, columns in self.groups():
            values = self.values[np.ix_(rows, columns)]
            means[rows], covariances[rows] = self.joint.condition(columns, values, at)
        return self._aligned(means, targets), self._aligned(covariances, targets)

    @cached_property
    def hard(self) -> Evidence:
        """The discrete evidence with its soft part as virtual evidence, fitted given everything."""
        known = self.discrete
        if not known.soft:
            return known
        refuse_both(self.network.domain, known)
        order = sorted(known.soft)
        names = [self.network.domain.names[v] for v in order]
        table = replace(self, discrete=replace(known, soft={})).posterior(names).sum(axis=-1)

        def marginals(given: dict[int, Floats], rows: Places) -> dict[int, Floats]:
            now = table[rows]
            for axis, v in enumerate(order):
                shape = [-1 if a == axis else 1 for a in range(len(order))]
                now = now * given[v].reshape(len(rows), *shape)
            now = now / now.sum(axis=tuple(range(1, now.ndim)), keepdims=True)
            axes = range(1, now.ndim)
            return {v: now.sum(tuple(a for a in axes if a != k + 1)) for k, v in enumerate(order)}

        try:
            found = fit_soft(marginals, known.soft)
        except UnattainableError as error:
            raise unattainable(self.network.domain, known, error) from None
        virtual = {v: known.likelihoods.get(v, 1.0) * a for v, a in found.items()}
        return replace(known, likelihoods={**known.likelihoods, **virtual}, soft={})

    def _scores(self, targets: Sequence[str], known: Evidence) -> Floats:
        n_rows = len(self.values)
        index = self.engine.domain.index
        free = [s for s in self.joint.switches if s not in targets]
        asked = [index[t] for t in (*targets, *free)]
        table = self.engine.joint(asked, known) if index else np.ones((n_rows, 1))
        table = table.reshape(n_rows, *self.network.cards(targets), self._others(targets))
        with np.errstate(divide="ignore"):
            return np.log(table) + self._aligned(self.log_density, targets)

    def _aligned(self, values: Floats, targets: Sequence[str]) -> Floats:
        """Axes (row, configuration, …) as (row, *targets, other switches, …)."""
        switches = self.joint.switches
        cards, extra = self.network.cards(switches), values.shape[2:]
        spread = values.reshape(len(values), *cards, *extra)
        free = [s for s in switches if s not in targets]
        order = [1 + switches.index(s) for s in (*(t for t in targets if t in switches), *free)]
        spread = spread.transpose(0, *order, *range(1 + len(cards), spread.ndim))
        sides = [len(self.network.domain.states[t]) if t in switches else 1 for t in targets]
        return spread.reshape(len(values), *sides, self._others(targets), *extra)

    def _others(self, targets: Sequence[str]) -> int:
        """Configurations of the switches that are no targets."""
        return prod(self.network.cards(s for s in self.joint.switches if s not in targets))


def hybrid_rows(network: Network, evidence: Any) -> HybridRows:
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
