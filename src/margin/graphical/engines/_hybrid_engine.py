"""Networks with discrete and continuous nodes: mixing over discrete configurations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from margin.core.types import Array, Indices
from margin.graphical._network import Network
from margin.graphical.answers._continuous_result import ContinuousResult
from margin.graphical.answers._mixed_result import MixedResult
from margin.graphical.answers._result import AssignmentResult, QueryResult
from margin.graphical.engines._ancestral import ancestral, draw
from margin.graphical.engines._discrete_engine import DiscreteEngine
from margin.graphical.engines._engine import Engine, Question
from margin.graphical.engines._evidence import Evidence
from margin.graphical.engines._gaussian_joint import GaussianJoint, gaussian_joint
from margin.graphical.engines._hybrid_rows import HybridRows
from margin.graphical.engines._named_tree import NamedTree
from margin.graphical.engines._split_evidence import split_evidence, targets_of


@dataclass(frozen=True, eq=False)
class HybridEngine(Engine):
    """A conditional Gaussian network: exact answers, one normal per discrete configuration.

    Parameters
    ----------
    network : Network
    n_threads : int
        Threads of the propagation in the discrete part.
    memory_limit : int, optional
        Most bytes of its clique tables.
    """

    network: Network
    n_threads: int = 1
    memory_limit: int | None = None

    @cached_property
    def joint(self) -> GaussianJoint:
        """The normals of the continuous nodes."""
        return gaussian_joint(self.network)

    @cached_property
    def _discrete(self) -> DiscreteEngine:
        part = self.network.restricted(set(self.network.domain.names))
        return DiscreteEngine(part, self.n_threads, self.memory_limit)

    def tree(self, names: Iterable[str]) -> NamedTree:
        """Tree of the discrete part, which nothing continuous points at."""
        return self._discrete.tree(names)

    def rows(self, evidence: Any) -> HybridRows:
        """Evidence, and what it says about the configurations."""
        tree = self.tree(self.network.domain.names)
        return HybridRows(self.network, self.joint, tree, *split_evidence(self.network, evidence))

    def query(self, question: Question) -> Any:
        """Discrete targets: a table; continuous ones: a mixture of normals; or both together."""
        kind, owner = question.kind, self.network.owner
        if kind not in ("marginal", "joint", "map", "sample"):
            raise ValueError(
                f"{owner}: kind must be 'marginal', 'joint', 'map' or 'sample' with continuous "
                f"nodes, got {kind!r}"
            )
        asked = targets_of(self.network, question.targets, every=kind == "sample")
        rows = self.rows(question.evidence)
        if kind == "sample":
            return self._drawn(asked, rows, question)
        continuous = [name for name in asked if name in self.joint.index]
        if not continuous:
            table = self._table(asked, rows)
            return table.best() if kind == "map" else table
        if kind == "map":
            raise ValueError(f"{owner}: kind 'map' must ask for discrete targets, got {asked!r}")
        if len(continuous) != len(asked):
            return self._mixed(asked, continuous, rows)
        weights, normals = rows.posterior(()), rows.normals((), asked)
        return ContinuousResult(tuple(asked), weights, *normals, rows.discrete.batched)

    def marginals(self, evidence: Any = None) -> dict[str, Any]:
        """A probability vector, or a :class:`ContinuousResult`, for every node."""
        answers = {name: self.query(Question(name, evidence)) for name in self.network.names}
        return {
            name: answer.values if isinstance(answer, QueryResult) else answer
            for name, answer in answers.items()
        }

    def log_prob(self, rows: Any) -> Any:
        """Log-density of every row; gaps are integrated out."""
        known = self.rows(rows)
        total = known.log_evidence
        return total if known.discrete.batched else float(total[0])

    def sample(self, n: int, evidence: Any, rng: np.random.Generator) -> dict[str, Array]:
        """Ancestral draws without evidence, otherwise from the posterior of one row."""
        if evidence is None:
            return ancestral(self.network, n, rng)
        rows = self.rows(evidence)
        if len(rows.values) != 1:
            raise ValueError(
                f"{self.network.owner}: evidence must be one row to sample, got {len(rows.values)}"
            )
        return self._posterior_draws(n, rows, rng)

    def _table(self, asked: list[str], rows: HybridRows) -> QueryResult:
        table = rows.posterior(asked).sum(axis=-1)
        states = tuple(self.network.domain.states[name] for name in asked)
        batched = rows.discrete.batched
        return QueryResult(tuple(asked), states, table if batched else table[0], batched)

    def _mixed(self, asked: list[str], continuous: list[str], rows: HybridRows) -> MixedResult:
        discrete = tuple(name for name in asked if name not in continuous)
        return MixedResult(
            tuple(asked),
            discrete,
            tuple(self.network.domain.states[name] for name in discrete),
            tuple(continuous),
            rows.posterior(discrete),
            *rows.normals(discrete, continuous),
            rows.discrete.batched,
        )

    def _drawn(self, asked: list[str], rows: HybridRows, question: Question) -> AssignmentResult:
        n, batched = question.n_samples, rows.discrete.batched
        values = np.empty((len(rows.values), n, len(asked)), dtype=object)
        for row in range(len(values)):
            drawn = self._posterior_draws(n, _one(rows, row), question.rng)
            for at, name in enumerate(asked):
                column = drawn[name]
                if name in self.network.domain.index:
                    column = self.network.domain.decode(name, column)
                values[row, :, at] = column
        kept = values if batched else values[0]
        return AssignmentResult(tuple(asked), kept, None, batched, ranked=True)

    def _posterior_draws(
        self, n: int, rows: HybridRows, rng: np.random.Generator
    ) -> dict[str, Array]:
        """Configurations of the switches, then the other discrete nodes, then the normals."""
        picked = draw(np.repeat(rows.posterior(()), n, axis=0), rng)
        codes = self._discrete_draws(n, rows, picked, rng)
        drawn: dict[str, Array] = {
            name: codes[:, at] for name, at in self.network.domain.index.items()
        }
        observed = np.flatnonzero(~np.isnan(rows.values[0]))
        open_nodes = np.flatnonzero(np.isnan(rows.values[0]))
        values = np.repeat(rows.values, n, axis=0)
        means, spreads = self.joint.condition(observed, rows.values[:, observed], open_nodes)
        for configuration in np.unique(picked):
            at_rows = np.flatnonzero(picked == configuration)
            values[np.ix_(at_rows, open_nodes)] = rng.multivariate_normal(
                means[0, configuration], spreads[configuration], size=len(at_rows), method="eigh"
            )
        drawn.update({name: values[:, at] for name, at in self.joint.index.items()})
        return drawn

    def _discrete_draws(
        self, n: int, rows: HybridRows, picked: Indices, rng: np.random.Generator
    ) -> Array:
        domain, switches = self.network.domain, self.joint.switches
        codes: Array = np.repeat(rows.discrete.codes, n, axis=0)
        if switches:
            cards = self.network.cards(switches)
            at = [domain.index[s] for s in switches]
            codes[:, at] = np.stack(np.unravel_index(picked, cards), axis=1)
        weak = {v: np.repeat(a, n, axis=0) for v, a in rows.hard.likelihoods.items()}
        known = Evidence(codes.astype(np.int32), weak, batched=True)
        return rows.tree.sample(list(range(len(domain.names))), known, 1, rng)[:, 0]


def _one(rows: HybridRows, at: int) -> HybridRows:
    """One of the rows."""
    known = rows.discrete
    discrete = replace(
        known,
        codes=known.codes[[at]],
        likelihoods={v: a[[at]] for v, a in known.likelihoods.items()},
        soft={v: a[[at]] for v, a in known.soft.items()},
    )
    return replace(rows, discrete=discrete, values=rows.values[[at]])
