"""Structural equations over finitely many states: counterfactuals by enumeration, twin networks."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.graphical import BayesianNetwork
from margin.graphs import DAG

Name = Hashable


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

    def _worlds(self) -> tuple[dict[Name, Array], Floats]:
        """Every state of the noises, and its probability."""
        names = self.names
        grids = np.array(list(product(*(range(len(self.noise[n])) for n in names))), dtype=np.int64)
        weight = np.ones(len(grids))
        for j, n in enumerate(names):
            weight = weight * self.noise[n][grids[:, j]]
        return {n: grids[:, j] for j, n in enumerate(names)}, weight

    def _solved(self, noise: Mapping[Name, Array], do: Mapping[Name, int]) -> dict[Name, Array]:
        values: dict[Name, Array] = {}
        for n in self.names:
            if n in do:
                values[n] = np.full(len(noise[n]), int(do[n]))
            else:
                at = tuple(values[p] for p in self.parents[n])
                values[n] = self.functions[n][(*at, noise[n])]
        return values

    def _checked(self, given: Mapping[Name, int] | None, what: str) -> Mapping[Name, int]:
        for name, state in (given or {}).items():
            if name not in self.parents or not 0 <= int(state) < self.states(name):
                raise check.fail("FiniteSEM", what, f"states of {self.names}", {name: state})
        return given or {}

    def query(
        self, target: Name, evidence: Mapping[Name, int] | None = None, *,
        do: Mapping[Name, int] | None = None,
    ) -> Floats:  # fmt: skip
        """Probabilities of the states of a node, given others, after an intervention."""
        noise, weight = self._worlds()
        values = self._solved(noise, self._checked(do, "do"))
        return self._law(target, values, weight, self._checked(evidence, "evidence"), values)

    def counterfactual(
        self, target: Name, factual: Mapping[Name, int], *, do: Mapping[Name, int],
        evidence: Mapping[Name, int] | None = None,
    ) -> Floats:  # fmt: skip
        """Law of a node in the world of ``do``, given what happened in this one (causal.14).

        ``evidence`` holds in the other world.
        """
        noise, weight = self._worlds()
        seen = self._solved(noise, {})
        other = self._solved(noise, self._checked(do, "do"))
        keep = np.ones(len(weight), dtype=bool)
        for name, state in self._checked(factual, "factual").items():
            keep &= seen[name] == state
        return self._law(target, other, weight * keep, self._checked(evidence, "evidence"), other)

    def _law(
        self, target: Name, values: Mapping[Name, Array], weight: Floats,
        evidence: Mapping[Name, int], where: Mapping[Name, Array],
    ) -> Floats:  # fmt: skip
        if target not in self.parents:
            raise check.fail("FiniteSEM", "target", f"among {self.names}", target)
        for name, state in evidence.items():
            weight = weight * (where[name] == state)
        if weight.sum() <= 0:
            raise check.fail("FiniteSEM", "evidence", "of positive probability", dict(evidence))
        sums = np.bincount(values[target], weight, self.states(target))
        return np.asarray(sums / weight.sum())

    def network(self) -> BayesianNetwork:
        """The Bayesian network of the nodes, the noise summed out."""
        tables = {n: self._table(n) for n in self.names}
        arrows = [(p, n) for n, above in self.parents.items() for p in above]
        states = {n: list(range(self.states(n))) for n in self.names}
        return BayesianNetwork.from_edges(arrows, tables, states)

    def _table(self, name: Name) -> Floats:
        eye = np.eye(self.states(name))[self.functions[name]]
        return np.asarray(np.einsum("...kc,k->...c", eye, self.noise[name]))

    def twin_network(self, do: Mapping[Name, int]) -> BayesianNetwork:
        """Two worlds in one network: ``n`` as it was, ``(n, "*")`` under ``do`` (causal.14).

        Both share the noises ``(n, "noise")``; a counterfactual is a plain query.
        """
        self._checked(do, "do")
        arrows: list[tuple[Any, Any]] = []
        cpds: dict[Any, Any] = {}
        states: dict[Any, Any] = {}
        for n in self.names:
            label = f"{n} noise"
            cpds[label], states[label] = self.noise[n], list(range(len(self.noise[n])))
            table = np.eye(self.states(n))[self.functions[n]]
            for star in ("", "*"):
                own = f"{n}{star}"
                states[own] = list(range(self.states(n)))
                if star and n in do:
                    cpds[own] = np.eye(self.states(n))[int(do[n])]
                    continue
                arrows += [(f"{p}{star}", own) for p in self.parents[n]] + [(label, own)]
                cpds[own] = table
        return BayesianNetwork.from_edges(arrows, cpds, states)
