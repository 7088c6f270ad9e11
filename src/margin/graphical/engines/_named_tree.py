"""Factors over named variables on one compiled junction tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.graphical._domain import UNOBSERVED, Domain, shorten
from margin.graphical.answers._plan import amount
from margin.graphical.engines._ancestral import draw
from margin.graphical.engines._evidence import Evidence
from margin.graphical.engines._jeffrey import hardened
from margin.inference import JunctionTree, MemoryLimitError, ZeroProbabilityError

MAX_JOINT = 2**24


@dataclass(frozen=True, eq=False)
class NamedTree:
    r"""Factors :math:`p(x) \propto \prod_k \phi_k(x_{S_k})` over named variables.

    Parameters
    ----------
    domain : Domain
        Variables that can be asked for or observed.
    cardinalities : sequence of int
        Of these variables, then of auxiliary ones.
    scopes : sequence of tuple of int
        Variables of each factor.
    tables : sequence of ndarray
        Factors, in the probability domain.
    n_threads : int
        Threads of the propagation.
    memory_limit : int, optional
        Most bytes of the clique tables.
    """

    domain: Domain
    cardinalities: Sequence[int]
    scopes: Sequence[tuple[int, ...]]
    tables: Sequence[Floats]
    n_threads: int = 1
    memory_limit: int | None = None

    @cached_property
    def tree(self) -> JunctionTree:
        """The compiled tree, made at the first question."""
        return JunctionTree.compile(
            tuple(self.cardinalities), tuple(self.scopes), memory_limit=self.memory_limit
        )

    def log_evidence(self, evidence: Evidence) -> Floats:
        """Logarithm of the summed product of the factors at the evidence, per row."""
        if evidence.soft:
            raise ValueError(
                f"{self.domain.owner}: evidence must be hard or virtual for a likelihood, got soft"
            )
        with self._words(evidence):
            return self.tree.log_evidence(self.tables, **self._given(evidence))

    def marginals(self, evidence: Evidence) -> list[Floats]:
        """Posterior of every variable, of shape (n_rows, cardinality) each."""
        evidence = self._hard(evidence)
        with self._words(evidence):
            marginals = self.tree.marginals(self.tables, **self._given(evidence))[1]
        return marginals[: len(self.domain.names)]

    def joint(self, targets: Sequence[int], evidence: Evidence) -> Floats:
        """Posterior table of the targets, of shape (n_rows, *cardinalities)."""
        cards = [self.cardinalities[t] for t in targets]
        if prod(cards) * len(evidence) > MAX_JOINT:
            raise ValueError(
                f"{self.domain.owner}: joint of the targets must have at most {MAX_JOINT} entries "
                f"in all rows, got {prod(cards) * len(evidence)}; ask for fewer targets, "
                "marginals or samples"
            )
        evidence = self._hard(evidence)
        with self._words(evidence):
            return self.tree.joint(self.tables, tuple(targets), **self._given(evidence))

    def best(self, evidence: Evidence, k: int = 1) -> tuple[Floats, Indices]:
        """Most probable assignments of all variables: log posterior (n, k), codes (n, k, v)."""
        evidence = self._hard(evidence)
        log_evidence = self.log_evidence(evidence)
        with self._words(evidence):
            score, codes = self.tree.mpe(self.tables, k=k, **self._given(evidence))
        n, width = len(evidence), len(self.domain.names)
        score = score.reshape(n, k) - log_evidence[:, None]
        return score, codes.reshape(n, k, -1)[:, :, :width].astype(np.int64)

    def sample(
        self, targets: Sequence[int], evidence: Evidence, n: int, rng: np.random.Generator
    ) -> Indices:
        """Draws from the posterior of the targets, of shape (n_rows, n, n_targets).

        By the chain rule, one target after the other given those drawn before; rows that have
        drawn the same are propagated once.
        """
        rows = len(evidence)
        evidence = self._hard(evidence)
        codes = np.repeat(self._codes(evidence), n, axis=0)
        for target in targets:
            if (codes[:, target] != UNOBSERVED).all():
                continue
            origin = np.repeat(np.arange(rows), n)
            keyed = np.column_stack([origin, codes]) if evidence.likelihoods else codes
            _, first, back = np.unique(keyed, axis=0, return_index=True, return_inverse=True)
            likelihoods = {v: a[origin[first]] for v, a in evidence.likelihoods.items()}
            known = Evidence(codes[first], likelihoods, batched=True)
            posterior = self.joint([target], known).reshape(len(first), -1)[back.ravel()]
            free = codes[:, target] == UNOBSERVED
            codes[free, target] = draw(posterior[free], rng)
        return codes[:, list(targets)].reshape(rows, n, len(targets)).astype(np.int64)

    def _hard(self, evidence: Evidence) -> Evidence:
        """The same evidence with the soft part as virtual evidence."""
        if not evidence.soft:
            return evidence
        with self._words(evidence):
            codes = self._codes(evidence)
            return hardened(self.domain, self.tree, self.tables, evidence, codes)

    def _codes(self, evidence: Evidence) -> Any:
        extra = len(self.cardinalities) - evidence.codes.shape[1]
        if not extra:
            return evidence.codes
        return np.pad(evidence.codes, ((0, 0), (0, extra)), constant_values=UNOBSERVED)

    def _given(self, evidence: Evidence) -> dict[str, Any]:
        return {
            "evidence": self._codes(evidence),
            "likelihoods": dict(evidence.likelihoods) or None,
            "n_threads": self.n_threads,
        }

    @contextmanager
    def _words(self, evidence: Evidence) -> Iterator[None]:
        """Refusals of the tree, told with the names of the variables."""
        owner, names = self.domain.owner, self.domain.names
        try:
            yield
        except ZeroProbabilityError as error:
            row = error.rows[0] if error.rows else 0
            where = f" in row {row}" if evidence.batched else ""
            if not evidence.observed:
                raise ZeroProbabilityError(
                    f"{owner}: factors must allow some assignment, got a total weight of 0",
                    error.rows,
                ) from None
            raise ZeroProbabilityError(
                f"{owner}: evidence{where} must be possible, "
                f"got probability 0 for {evidence.describe(self.domain, row)}",
                error.rows,
            ) from None
        except MemoryLimitError as error:
            clique = [names[v] if v < len(names) else f"auxiliary {v}" for v in error.clique]
            raise MemoryLimitError(
                f"{owner}: exact inference must fit into memory, got {amount(error.bytes_needed)} "
                f"bytes; the largest clique is {shorten(clique)}. Observe more variables, or use "
                "the approximate inference of margin.inference on factor_model()",
                error.clique,
                error.bytes_needed,
            ) from None
