"""The verbs of every discrete joint model: query, marginals, most probable assignments, plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats
from margin.graphical._domain import Domain
from margin.graphical.queries._discrete_engine import DiscreteEngine
from margin.graphical.queries._evidence import Evidence, parse
from margin.graphical.queries._plan import PlanReport
from margin.graphical.queries._result import AssignmentResult, QueryResult

KINDS = ("marginal", "joint", "map", "mpe", "k-best", "sample")


class JointModel(ABC):
    """A distribution over discrete variables that answers questions on a junction tree."""

    @property
    @abstractmethod
    def _domain(self) -> Domain:
        """Variables and their states."""

    @abstractmethod
    def _ask(self, names: Iterable[str], do: Mapping[str, Any] | None = None) -> DiscreteEngine:
        """Engine for questions and evidence about these variables; it may leave out others."""

    @property
    def states(self) -> dict[str, tuple[Hashable, ...]]:
        """Ordered state names of every variable; answers are in this order."""
        return dict(self._domain.states)

    @property
    def variables(self) -> tuple[str, ...]:
        """Discrete variables in order."""
        return self._domain.names

    def marginals(self, evidence: Any = None, *, do: Mapping[str, Any] | None = None) -> Any:
        """Posterior distribution of every variable.

        Parameters
        ----------
        evidence : mapping, data frame or list of mappings, optional
            What is observed; NaN and None mean unobserved. Values may be :class:`Soft` or
            :class:`Virtual`.
        do : mapping of str to state, optional
            Variables that are set from outside, for directed models.

        Returns
        -------
        dict of str to ndarray
            Probabilities in the order of :attr:`states`, of shape (n_states,), or
            (n_rows, n_states) for a frame.
        """
        known = parse(self._domain, evidence)
        engine = self._ask(self.variables, do)
        found = engine.marginals(_restrict(known, self._domain, engine.domain))
        return {
            name: found[at] if known.batched else found[at][0]
            for name, at in engine.domain.index.items()
        }

    def query(
        self,
        targets: Sequence[str] | str | None = None,
        evidence: Any = None,
        *,
        do: Mapping[str, Any] | None = None,
        kind: str = "marginal",
        k: int = 1,
        n_samples: int = 1,
        random_state: Any = None,
    ) -> Any:
        """Answer a question about some variables, for one or many rows of evidence.

        Parameters
        ----------
        targets : str or sequence of str
            Variables asked about; all of them where none are named (not for tables).
        evidence : mapping, data frame or list of mappings, optional
            What is observed; NaN and None mean unobserved. Values may be :class:`Soft` or
            :class:`Virtual`. Of a frame every row is a query.
        do : mapping of str to state, optional
            Variables that are set from outside, for directed models: arrows into them are cut.
        kind : {"marginal", "joint", "map", "mpe", "k-best", "sample"}
            Table of the targets with everything else summed out (the first two are the same);
            their most probable assignment; their part of the most probable assignment of
            everything; the ``k`` most probable assignments; draws.
        k, n_samples : int
            How many assignments or draws.
        random_state : None, int or Generator
            Source of randomness of draws.

        Returns
        -------
        QueryResult or AssignmentResult
        """
        if kind not in KINDS:
            raise check.fail(self, "kind", f"one of {', '.join(map(repr, KINDS))}", kind)
        for name, value in (("k", k), ("n_samples", n_samples)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise check.fail(self, name, "an integer of at least 1", value)
        known = parse(self._domain, evidence)
        chosen = self._domain.positions(self.variables if targets is None else targets)
        if not chosen or (targets is None and kind in ("marginal", "joint")):
            raise check.fail(self, "targets", "variables to ask for", targets)
        names = [self._domain.names[at] for at in chosen]
        whole = targets is None or kind == "mpe"
        seen = [self._domain.names[at] for at in known.observed]
        engine = self._ask(self.variables if whole else {*names, *seen}, do)
        inner = [engine.domain.index[name] for name in names]
        known = _restrict(known, self._domain, engine.domain)
        if kind in ("marginal", "joint"):
            values = engine.joint(inner, known)
            states = tuple(self._domain.states[name] for name in names)
            return QueryResult(
                tuple(names), states, values if known.batched else values[0], known.batched
            )
        if kind == "sample":
            codes = engine.sample(inner, known, n_samples, generator(random_state))
            return self._assignment(names, codes, None, known.batched, ranked=True)
        if whole:
            scores, codes = engine.best(known, k)
            codes = codes[:, :, inner]
        else:
            scores, codes = _best_of_table(engine.joint(inner, known), k)
        if kind == "k-best":
            return self._assignment(names, codes, scores, known.batched, ranked=True)
        return self._assignment(names, codes[:, 0], scores[:, 0], known.batched, ranked=False)

    def map_query(
        self,
        targets: Sequence[str] | str | None = None,
        evidence: Any = None,
        *,
        do: Mapping[str, Any] | None = None,
    ) -> Any:
        """Most probable assignment of the targets (of all variables where none are named).

        Returns
        -------
        dict of str to state, or DataFrame with one row per row of evidence
        """
        found = self.query(targets, evidence, do=do, kind="map")
        if found.batched:
            return found.to_frame().drop(columns="log_prob")
        return found.to_dict()

    def explain_plan(
        self, targets: Sequence[str] | str | None = None, evidence: Iterable[str] = ()
    ) -> PlanReport:
        """What exact inference will cost, known before the work.

        Parameters
        ----------
        targets : str or sequence of str, optional
            Variables that will be asked for; all by default.
        evidence : iterable of str
            Names of the variables that will be observed.

        Returns
        -------
        PlanReport
            Treewidth, cliques, largest clique by name, bytes and operations.
        """
        asked = self.variables if targets is None else targets
        names = [self._domain.names[at] for at in self._domain.positions(asked)]
        seen = [self._domain.names[at] for at in self._domain.positions(tuple(evidence))]
        return PlanReport.of(self._ask({*names, *seen}))

    def _assignment(
        self, names: list[str], codes: Any, scores: Floats | None, batched: bool, ranked: bool
    ) -> AssignmentResult:
        values = np.empty(codes.shape, dtype=object)
        for at, name in enumerate(names):
            states = np.empty(len(self._domain.states[name]), dtype=object)
            states[:] = self._domain.states[name]
            values[..., at] = states[codes[..., at]]
        if not batched:
            values, scores = values[0], None if scores is None else scores[0]
        return AssignmentResult(tuple(names), values, scores, batched, ranked)


def _restrict(known: Evidence, outer: Domain, inner: Domain) -> Evidence:
    """The same evidence over fewer variables, among them all that are observed."""
    if inner.names == outer.names:
        return known
    codes = known.codes[:, [outer.index[name] for name in inner.names]]
    at = {outer.index[name]: here for name, here in inner.index.items()}
    likelihoods = {at[v]: values for v, values in known.likelihoods.items()}
    soft = {at[v]: values for v, values in known.soft.items()}
    return Evidence(codes, likelihoods, soft, known.batched)


def _best_of_table(tables: Floats, k: int) -> tuple[Floats, Any]:
    """Log-probabilities (n, k) and codes (n, k, axes) of the largest entries of each table."""
    flat = tables.reshape(len(tables), -1)
    order = np.argsort(-flat, axis=1, kind="stable")[:, :k]
    with np.errstate(divide="ignore"):
        scores = np.log(np.take_along_axis(flat, order, axis=1))
    return scores, np.stack(np.unravel_index(order, tables.shape[1:]), axis=-1)
