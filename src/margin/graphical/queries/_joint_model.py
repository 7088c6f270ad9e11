"""The verbs of every joint model: query, marginals, most probable assignments, plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.graphical._domain import Domain
from margin.graphical.answers._plan import PlanReport
from margin.graphical.engines._engine import KINDS, Engine, Question

# For questions without chance: a generator of one's own costs as much as a small answer.
_NO_DRAWS = np.random.default_rng(0)


class JointModel(ABC):
    """A joint distribution that answers questions; an engine does the work."""

    @property
    @abstractmethod
    def _domain(self) -> Domain:
        """Variables and their states."""

    @abstractmethod
    def _engine(self, do: Mapping[str, Any] | None = None) -> Engine:
        """What answers questions, after an intervention where there is one."""

    def _asked(self, do: Any, evidence: Any) -> tuple[Engine, Any]:
        """What answers, and the evidence for it; by rows an intervention becomes evidence."""
        return self._engine(do), evidence

    @property
    def states(self) -> dict[str, tuple[Hashable, ...]]:
        """Ordered state names of every variable; answers are in this order."""
        return dict(self._domain.states)

    @property
    def variables(self) -> tuple[str, ...]:
        """Discrete variables in order."""
        return self._domain.names

    def marginals(self, evidence: Any = None, *, do: Any = None) -> Any:
        """Posterior distribution of every variable.

        Parameters
        ----------
        evidence : mapping, data frame or list of mappings, optional
            What is observed; NaN and None mean unobserved. Values may be :class:`Soft` or
            :class:`Virtual`.
        do : mapping of str to state, data frame or list of mappings, optional
            Variables that are set from outside, for directed models; of a frame every row is a
            query, and goes with the row of the evidence where that has rows too.

        Returns
        -------
        dict of str to ndarray
            Probabilities in the order of :attr:`states`, of shape (n_states,), or
            (n_rows, n_states) for a frame.
        """
        engine, known = self._asked(do, evidence)
        return engine.marginals(known)

    def query(
        self,
        targets: Sequence[str] | str | None = None,
        evidence: Any = None,
        *,
        do: Any = None,
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
        do : mapping of str to state, data frame or list of mappings, optional
            Variables that are set from outside, for directed models: arrows into them are cut.
            Of a frame every row is a query, and goes with the row of the evidence where that has
            rows too.
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
            With continuous targets a :class:`ContinuousResult` or :class:`MixedResult`.
        """
        if kind not in KINDS:
            raise check.fail(self, "kind", f"one of {', '.join(map(repr, KINDS))}", kind)
        for name, value in (("k", k), ("n_samples", n_samples)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise check.fail(self, name, "an integer of at least 1", value)
        self._refuse_evidence_for_targets(targets)
        rng = _NO_DRAWS if random_state is None and kind != "sample" else generator(random_state)
        engine, known = self._asked(do, evidence)
        return engine.query(Question(targets, known, kind, k, n_samples, rng))

    def map_query(
        self,
        targets: Sequence[str] | str | None = None,
        evidence: Any = None,
        *,
        do: Any = None,
    ) -> Any:
        """Most probable assignment of the targets (of all variables where none are named).

        Returns
        -------
        dict of str to state, or DataFrame with one row per row of evidence
        """
        best = self.query(targets, evidence, do=do, kind="map")
        if best.batched:
            return best.to_frame().drop(columns="log_prob")
        return best.to_dict()

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
        self._refuse_evidence_for_targets(targets)
        asked = self.variables if targets is None else targets
        names = [self._domain.names[at] for at in self._domain.positions(asked)]
        seen = [self._domain.names[at] for at in self._domain.positions(tuple(evidence))]
        tree = self._engine().tree({*names, *seen})
        return PlanReport.of(tree.tree.plan, tree.domain.names)

    def _refuse_evidence_for_targets(self, targets: Any) -> None:
        if isinstance(targets, Mapping) or hasattr(targets, "columns"):
            shown = dict(targets) if isinstance(targets, Mapping) else type(targets).__name__
            requirement = "names of variables, with what is observed in evidence="
            raise check.fail(self, "targets", requirement, shown)
