"""Networks of discrete nodes: answers on junction trees of what a question needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.graphical._network import Network
from margin.graphical.engines._ancestral import ancestral
from margin.graphical.engines._engine import Engine, Question
from margin.graphical.engines._evidence import Evidence, parse
from margin.graphical.engines._named_tree import NamedTree
from margin.graphical.engines._tree_answers import marginals, query

_TREES_KEPT = 16


@dataclass(frozen=True, eq=False)
class DiscreteEngine(Engine):
    """A network all of whose nodes are discrete.

    Nodes downstream of targets and evidence sum to one and are left out. The trees of the last
    questions are kept.

    Parameters
    ----------
    network : Network
    n_threads : int
        Threads of the propagation.
    memory_limit : int, optional
        Most bytes of the clique tables.
    """

    network: Network
    n_threads: int = 1
    memory_limit: int | None = None
    trees: dict[frozenset[str], NamedTree] = field(default_factory=dict, repr=False)
    asked: dict[frozenset[str], frozenset[str]] = field(default_factory=dict, repr=False)

    def tree(self, names: Iterable[str]) -> NamedTree:
        """Tree of these nodes and their ancestors, discrete ones all."""
        names = frozenset(names)
        kept = self.asked.get(names)
        if kept is None:
            kept = frozenset(self.network.with_ancestors(names))
            if len(self.asked) >= _TREES_KEPT:
                self.asked.pop(next(iter(self.asked)))
            self.asked[names] = kept
        if kept not in self.trees:
            part = self.network.restricted(kept)
            if len(self.trees) >= _TREES_KEPT:
                self.trees.pop(next(iter(self.trees)))
            self.trees[kept] = NamedTree(
                part.domain, *part.factors(), self.n_threads, self.memory_limit
            )
        return self.trees[kept]

    def query(self, question: Question) -> Any:
        """Table, assignments or draws."""
        return query(self.network.domain, self.tree, question)

    def marginals(self, evidence: Any = None) -> dict[str, Floats]:
        """Probabilities of the states of every node."""
        return marginals(self.network.domain, self.tree(self.network.domain.names), evidence)

    def log_prob(self, rows: Any) -> Any:
        r"""Per-row :math:`\log p(x_{\text{observed}})`."""
        network = self.network
        evidence = parse(network.domain, rows)
        if evidence.soft or evidence.likelihoods:
            raise check.fail(network.owner, "rows", "states", "soft or virtual evidence")
        codes = evidence.codes
        complete = (codes >= 0).all(axis=1)
        result = np.zeros(len(codes))
        if complete.any():
            result[complete] = complete_log_prob(network, codes[complete])
        some = codes[~complete]
        names = [network.domain.names[v] for v in np.flatnonzero((some >= 0).any(axis=0))]
        if names:
            tree = self.tree(names)
            kept = [network.domain.index[n] for n in tree.domain.names]
            inner = Evidence(np.ascontiguousarray(some[:, kept]), batched=True)
            result[~complete] = tree.log_evidence(inner)
        return result if evidence.batched else float(result[0])

    def sample(self, n: int, evidence: Any, rng: np.random.Generator) -> dict[str, Array]:
        """Ancestral draws without evidence, otherwise draws from the posterior."""
        domain = self.network.domain
        if evidence is None:
            return ancestral(self.network, n, rng)
        if n == 0:
            return {name: np.zeros(0, dtype=np.int64) for name in domain.names}
        # Parents first: their posteriors given what is drawn touch the fewest variables.
        names = list(self.network.order)
        drawn = self.query(Question(names, evidence, "sample", n_samples=n, rng=rng))
        rows = drawn.values.reshape(-1, len(names))
        return {name: domain.encode(name, rows[:, at]) for at, name in enumerate(names)}


def complete_log_prob(network: Network, codes: Array) -> Floats:
    """Sum of the logarithms of the table entries that each complete row selects."""
    total = np.zeros(len(codes))
    index = network.domain.index
    with np.errstate(divide="ignore"):
        for name in network.domain.names:
            family = [index[n] for n in (*network.parents[name], name)]
            cpd_table = np.log(network.table(name))
            total += cpd_table[tuple(codes[:, v] for v in family)]
    return total
