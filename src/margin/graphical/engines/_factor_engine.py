"""Models given by factors: answers on one junction tree of all variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.graphical.engines._engine import Engine, Question
from margin.graphical.engines._evidence import parse
from margin.graphical.engines._named_tree import NamedTree
from margin.graphical.engines._tree_answers import marginals, query


@dataclass(frozen=True, eq=False)
class FactorEngine(Engine):
    r"""Distribution :math:`p(x) = \frac1Z \prod_k \phi_k(x_{S_k})`.

    Parameters
    ----------
    whole : NamedTree
        The factors.
    """

    whole: NamedTree

    def tree(self, names: Iterable[str]) -> NamedTree:
        """The one tree: without arrows nothing sums to one."""
        return self.whole

    def query(self, question: Question) -> Any:
        """Table, assignments or draws."""
        return query(self.whole.domain, self.tree, question)

    def marginals(self, evidence: Any = None) -> dict[str, Floats]:
        """Probabilities of the states of every variable."""
        return marginals(self.whole.domain, self.whole, evidence)

    @cached_property
    def log_partition(self) -> float:
        r"""Logarithm of :math:`Z = \sum_x \prod_k \phi_k(x_{S_k})`."""
        domain = self.whole.domain
        value = float(self.whole.log_evidence(parse(domain, None))[0])
        if value == -np.inf:
            raise ValueError(f"{domain.owner}: factors must allow some state, got Z = 0")
        return value

    def log_potential(self, rows: Any) -> Any:
        r"""Unnormalised :math:`\sum_k \log \phi_k` of complete rows (frame or mapping)."""
        evidence = parse(self.whole.domain, rows)
        if (evidence.codes < 0).any():
            raise check.fail(self.whole.domain.owner, "rows", "complete", "unobserved values")
        total = np.zeros(len(evidence))
        with np.errstate(divide="ignore"):
            for scope, table in zip(self.whole.scopes, self.whole.tables, strict=True):
                total += np.log(table)[tuple(evidence.codes[:, v] for v in scope)]
        return total if evidence.batched else float(total[0])

    def log_prob(self, rows: Any) -> Any:
        """Log-probability of every row; NaN is summed out exactly."""
        evidence = parse(self.whole.domain, rows)
        if (evidence.codes >= 0).all():
            return self.log_potential(rows) - self.log_partition
        values = self.whole.log_evidence(evidence) - self.log_partition
        return values if evidence.batched else float(values[0])

    def sample(self, n: int, evidence: Any, rng: np.random.Generator) -> dict[str, Array]:
        """Draws from the posterior, codes by name, rows of evidence one after the other."""
        domain = self.whole.domain
        known = parse(domain, evidence)
        codes = self.whole.sample(list(range(len(domain.names))), known, n, rng)
        flat = codes.reshape(-1, len(domain.names))
        return {name: flat[:, at] for name, at in domain.index.items()}
