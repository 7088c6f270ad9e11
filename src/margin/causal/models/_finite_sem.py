"""Structural equations over finitely many states: counterfactuals by enumeration, twin networks."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from margin.causal.models._interventions import Conditional, Hard, Intervention, Stochastic
from margin.core import check
from margin.core.random import generator
from margin.core.types import Array, Floats
from margin.graphical import BayesianNetwork
from margin.graphs import DAG

Name = Hashable
MOST_WORLDS = 20_000_000


@dataclass(frozen=True, eq=False)
class FiniteSEM:
    r"""Equations :math:`X_j = f_j(X_{\mathrm{pa}(j)}, N_j)` with finite noise.

    Serves causal.10 and causal.14.

    Parameters
    ----------
    parents : mapping of name to tuple of names
    functions : mapping of name to integer array
        State of the node at each state of its parents (axes in their order) and of its noise (last
        axis).
    noise : mapping of name to array
        Probabilities of the noise of each node; independent between nodes.

    Notes
    -----
    Answers enumerate all states of all noises: exact, and exponential in the number of nodes.

    Examples
    --------
    A treatment that helps half of the people and harms a tenth:

    >>> import numpy as np
    >>> sem = FiniteSEM(
    ...     {"x": (), "y": ("x",)},
    ...     {"x": np.array([0, 1]), "y": np.array([[0, 1, 1, 0], [1, 0, 1, 0]])},
    ...     {"x": [0.5, 0.5], "y": [0.5, 0.1, 0.2, 0.2]})
    >>> sem.query("y", do={"x": 1})
    array([0.3, 0.7])
    >>> sem.counterfactual("y", {"x": 0, "y": 0}, do={"x": 1}).round(4)
    array([0.2857, 0.7143])
    """

    parents: Mapping[Name, tuple[Name, ...]]
    functions: Mapping[Name, Array]
    noise: Mapping[Name, Floats]

    def __post_init__(self) -> None:
        names = tuple(self.parents)
        arrows = [(p, n) for n, above in self.parents.items() for p in above]
        order = tuple(DAG(list(names), arrows).topological_order())
        functions = {n: np.asarray(self.functions[n], dtype=np.int64) for n in order}
        noise = {n: np.asarray(self.noise[n], dtype=np.float64) for n in order}
        for n in order:
            if noise[n].ndim != 1 or (noise[n] < 0).any() or abs(noise[n].sum() - 1) > 1e-9:
                raise check.fail("FiniteSEM", f"noise[{n!r}]", "probabilities of sum 1", noise[n])
            if functions[n].ndim != len(self.parents[n]) + 1 or (
                functions[n].shape[-1] != len(noise[n])
            ):
                need = "an axis per parent and one for the noise"
                raise check.fail("FiniteSEM", f"functions[{n!r}]", need, functions[n].shape)
        for field, value in (
            ("parents", {n: tuple(self.parents[n]) for n in order}),
            ("functions", functions), ("noise", noise),
        ):  # fmt: skip
            object.__setattr__(self, field, value)

    @property
    def names(self) -> tuple[Name, ...]:
        """Nodes, causes first."""
        return tuple(self.parents)

    def states(self, name: Name) -> int:
        """Number of states of a node."""
        below = [
            self.functions[n].shape[above.index(name)]
            for n, above in self.parents.items() if name in above
        ]  # fmt: skip
        return int(max([int(self.functions[name].max()) + 1, *below]))

    def intervened(self, do: Mapping[Name, Any]) -> "FiniteSEM":
        """The equations after an intervention (causal.05).

        Parameters
        ----------
        do : mapping of name to state, Hard, Stochastic or Conditional
            ``Stochastic`` of the probabilities of the states; ``Conditional`` on nodes that are no
            effects, its rule giving a state for their states.
        """
        parents, functions, noise = dict(self.parents), dict(self.functions), dict(self.noise)
        sure = np.ones(1)
        for name, given in do.items():
            if name not in self.parents:
                raise check.fail("FiniteSEM", "do", f"states of {self.names}", {name: given})
            n, act = self.states(name), given if isinstance(given, Intervention) else Hard(given)
            if isinstance(act, Stochastic):
                law = self._law_of_states(name, act.law)
                parents[name], functions[name], noise[name] = (), np.arange(n), law
            elif isinstance(act, Conditional):
                rule = self._rule(name, act)
                parents[name], functions[name], noise[name] = act.given, rule[..., None], sure
            elif isinstance(act, Hard):
                state = self._state("do", name, act.value)
                parents[name], functions[name], noise[name] = (), np.array([state]), sure
            else:
                need = "a state, Hard, Stochastic or Conditional"
                raise check.fail("FiniteSEM", f"do[{name!r}]", need, act)
        return FiniteSEM(parents, functions, noise)

    def _state(self, what: str, name: Name, state: Any) -> int:
        try:
            known = int(state) == state and 0 <= state < self.states(name)
        except (TypeError, ValueError):
            known = False
        if not known:
            raise check.fail("FiniteSEM", what, f"states of {self.names}", {name: state})
        return int(state)

    def _law_of_states(self, name: Name, law: Any) -> Floats:
        try:
            shares = np.asarray(law, dtype=np.float64)
        except (TypeError, ValueError):
            shares = np.empty(0)
        if (
            shares.shape != (self.states(name),)
            or (shares < 0).any()
            or abs(shares.sum() - 1) > 1e-9
        ):
            need = f"Stochastic of {self.states(name)} probabilities of sum 1"
            raise check.fail("FiniteSEM", f"do[{name!r}]", need, law)
        return shares

    def _rule(self, name: Name, act: Conditional) -> Array:
        for other in act.given:
            if other not in self.parents:
                need = f"Conditional on nodes among {self.names}"
                raise check.fail("FiniteSEM", f"do[{name!r}]", need, other)
        lengths = [self.states(other) for other in act.given]
        settings = product(*(range(length) for length in lengths))
        answers = [self._state(f"do[{name!r}]", name, act.rule(*setting)) for setting in settings]
        return np.array(answers, dtype=np.int64).reshape(lengths)

    def _checked(self, given: Mapping[Name, int] | None, what: str) -> dict[Name, int]:
        for name in given or {}:
            if name not in self.parents:
                raise check.fail("FiniteSEM", what, f"states of {self.names}", {name: given})
        return {name: self._state(what, name, state) for name, state in (given or {}).items()}

    def query(
        self, targets: Any, evidence: Mapping[Name, int] | None = None, *,
        do: Mapping[Name, Any] | None = None,
    ) -> Floats:  # fmt: skip
        """Probabilities of the states of a node, given others, after an intervention.

        Parameters
        ----------
        targets : name or list of names
            Of several the joint law, with an axis each.
        evidence : mapping of name to state, optional
        do : mapping as for :meth:`intervened`, optional

        Returns
        -------
        ndarray
        """
        sem = self.intervened(do or {})
        noise, weight = _worlds(sem.noise)
        values = sem._solved(noise)
        return self._law(targets, values, weight, self._checked(evidence, "evidence"))

    def sample(
        self, n_samples: int = 1, *, do: Mapping[Name, Any] | None = None, random_state: Any = None
    ) -> dict[Name, Array]:
        """Draws of the states of all nodes, also under an intervention, by name.

        Examples
        --------
        >>> sem = FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [0.5, 0.5]})
        >>> sem.sample(3, do={"x": 1})
        {'x': array([1, 1, 1])}
        """
        rng, sem = generator(random_state), self.intervened(do or {})
        noise = {n: rng.choice(len(p), n_samples, p=p) for n, p in sem.noise.items()}
        values = sem._solved(noise)
        return {name: values[name] for name in self.names}

    def counterfactual(
        self, targets: Any, factual: Mapping[Name, int], *, do: Mapping[Name, Any],
        evidence: Mapping[Name, int] | None = None,
    ) -> Floats:  # fmt: skip
        """Law of nodes in the world of ``do``, given what happened in this one (causal.14).

        ``evidence`` holds in the other world. What is drawn by the intervention is drawn anew.
        """
        other = self.intervened(do)
        fresh: dict[Name, Floats] = {("acted", n): other.noise[n] for n in do}
        noise, weight = _worlds({**self.noise, **fresh})
        seen = self._solved(noise)
        there = other._solved({n: noise["acted", n] if n in do else noise[n] for n in self.names})
        for name, state in self._checked(factual, "factual").items():
            weight = weight * (seen[name] == state)
        return self._law(targets, there, weight, self._checked(evidence, "evidence"))

    def _solved(self, noise: Mapping[Name, Array]) -> dict[Name, Array]:
        values: dict[Name, Array] = {}
        for n in self.names:
            at = tuple(values[p] for p in self.parents[n])
            values[n] = self.functions[n][(*at, noise[n])]
        return values

    def _law(
        self, targets: Any, values: Mapping[Name, Array], weight: Floats,
        evidence: Mapping[Name, int],
    ) -> Floats:  # fmt: skip
        names = list(targets) if isinstance(targets, list | tuple) else [targets]
        for name in names:
            if name not in self.parents:
                raise check.fail("FiniteSEM", "targets", f"among {self.names}", name)
        if not names:
            raise check.fail("FiniteSEM", "targets", "at least one node", targets)
        for name, state in evidence.items():
            weight = weight * (values[name] == state)
        if weight.sum() <= 0:
            raise check.fail("FiniteSEM", "evidence", "of positive probability", dict(evidence))
        shape = tuple(self.states(name) for name in names)
        cells = np.ravel_multi_index(tuple(values[name] for name in names), shape)
        sums = np.bincount(cells, weight, int(np.prod(shape)))
        return np.asarray(sums / weight.sum()).reshape(shape)

    def network(self) -> BayesianNetwork:
        """The Bayesian network of the nodes, the noise summed out."""
        tables = {n: self._table(n) for n in self.names}
        arrows = [(p, n) for n, above in self.parents.items() for p in above]
        states = {n: list(range(self.states(n))) for n in self.names}
        return BayesianNetwork.from_edges(arrows, tables, states)

    def _table(self, name: Name) -> Floats:
        eye = np.eye(self.states(name))[self.functions[name]]
        return np.asarray(np.einsum("...kc,k->...c", eye, self.noise[name]))

    def twin_network(self, do: Mapping[Name, Any]) -> BayesianNetwork:
        """Two worlds in one network: ``"n"`` as it was, ``"n*"`` under ``do`` (causal.14).

        Both share the noises ``"n noise"``; a counterfactual is a plain query.
        """
        other = self.intervened(do)
        arrows: list[tuple[Any, Any]] = []
        cpds: dict[Any, Any] = {}
        states: dict[Any, Any] = {}
        for n in self.names:
            label = f"{n} noise"
            cpds[label], states[label] = self.noise[n], list(range(len(self.noise[n])))
            for star, sem in (("", self), ("*", other)):
                own, eye = f"{n}{star}", np.eye(self.states(n))
                states[own] = list(range(self.states(n)))
                arrows += [(f"{p}{star}", own) for p in sem.parents[n]]
                cpds[own] = eye[sem.functions[n]]
                if star and n in do:  # a noise of its own, summed out
                    cpds[own] = np.einsum("...kc,k->...c", cpds[own], sem.noise[n])
                else:
                    arrows.append((label, own))
        return BayesianNetwork.from_edges(arrows, cpds, states)


def _worlds(laws: Mapping[Name, Floats]) -> tuple[dict[Name, Array], Floats]:
    """Every state of the noises, and its probability."""
    lengths = [len(law) for law in laws.values()]
    count = prod(lengths)
    if count > MOST_WORLDS:
        need = f"such that at most {MOST_WORLDS} states have to be enumerated"
        raise check.fail("FiniteSEM", "noise", f"{need} (twin_network does not enumerate)", count)
    grids = np.indices(lengths).reshape(len(lengths), count)
    weight = np.ones(count)
    for grid, law in zip(grids, laws.values(), strict=True):
        weight = weight * law[grid]
    return dict(zip(laws, grids, strict=True)), weight
