"""Clique graphs and absorption, one message at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from margin.core import check
from margin.inference._factor import Factor
from margin.inference._model import Factored, FactorModel, factors_of
from margin.inference.exact._junction_tree import JunctionTree


@dataclass(frozen=True)
class CliqueGraph:
    r"""A distribution as a quotient of clique and separator tables (``inference.19``).

    .. math:: p(x) \propto \frac{\prod_c \phi_c(x_c)}{\prod_s \phi_s(x_s)}

    Absorption (``inference.21``) moves mass between neighbouring cliques without changing the
    distribution, with :math:`0/0 = 0`. On a clique tree, once messages have passed in both
    directions of every edge, every table is the marginal of its clique, whatever the schedule. On a
    multiply connected clique graph the quotient is still the same distribution, but the tables need
    not be its marginals.

    Parameters
    ----------
    cliques : tuple of Factor
    edges : tuple of pairs of int
    separators : tuple of Factor
        One per edge.

    Examples
    --------
    >>> chain = FactorModel((2, 2, 2), ((0, 1), (1, 2)), ([[3, 1], [1, 3]], [[2, 1], [1, 2]]))
    >>> graph = CliqueGraph.from_model(chain).calibrate()
    >>> sorted(float(clique.table.sum()) for clique in graph.cliques)
    [24.0, 24.0]
    """

    cliques: tuple[Factor, ...]
    edges: tuple[tuple[int, int], ...]
    separators: tuple[Factor, ...]

    @classmethod
    def from_model(
        cls, model: FactorModel | Factored, tree: JunctionTree | None = None
    ) -> "CliqueGraph":
        """A clique tree of the model with every factor multiplied into one clique."""
        model = factors_of("CliqueGraph.from_model", model)
        compiled = tree or JunctionTree.compile(model.cardinalities, model.scopes)
        members = [set(clique) for clique in compiled.cliques]
        tables = [_ones(clique, model.cardinalities) for clique in compiled.cliques]
        for scope, table in zip(model.scopes, model.tables, strict=True):
            at = next((k for k, clique in enumerate(members) if clique.issuperset(scope)), None)
            if at is None:  # only a constant of a model without variables
                continue
            tables[at] = tables[at] * Factor(scope, table)
        edges, separators = [], []
        for child, parent in enumerate(compiled.parents):
            if parent >= 0:
                edges.append((parent, child))
                separators.append(_ones(compiled.separators[child], model.cardinalities))
        return cls(tuple(tables), tuple(edges), tuple(separators))

    def absorb(self, source: int, target: int, *, maximise: bool = False) -> "CliqueGraph":
        """Clique ``target`` absorbs from its neighbour ``source``."""
        edge = next((k for k, pair in enumerate(self.edges) if set(pair) == {source, target}), None)
        if edge is None:
            raise check.fail(self, "target", f"a neighbour of {source}", target)
        old = self.separators[edge]
        clique = self.cliques[source]
        away = tuple(v for v in clique.scope if v not in old.scope)
        summed = clique.max_out(*away) if maximise else clique.sum_out(*away)
        fresh = Factor(old.scope, summed._aligned(old.scope))
        ratio = np.divide(
            fresh.table, old.table, out=np.zeros_like(fresh.table), where=old.table > 0
        )
        cliques, separators = list(self.cliques), list(self.separators)
        cliques[target] = self.cliques[target] * Factor(old.scope, ratio)
        separators[edge] = fresh
        return CliqueGraph(tuple(cliques), self.edges, tuple(separators))

    def calibrate(
        self, schedule: Iterable[tuple[int, int]] | None = None, *, maximise: bool = False
    ) -> "CliqueGraph":
        """Absorb along a schedule; by default to the roots of the tree and back.

        With ``maximise`` the tables become max-marginals (max-absorption).
        """
        if schedule is None:
            inward = [(child, parent) for parent, child in reversed(self.edges)]
            schedule = [*inward, *self.edges]
        graph = self
        for source, target in schedule:
            graph = graph.absorb(source, target, maximise=maximise)
        return graph

    def value(self, states: Sequence[int]) -> float:
        """The quotient at a full assignment: the same before and after any absorption."""
        above = np.prod([_at(clique, states) for clique in self.cliques])
        below = np.prod([_at(separator, states) for separator in self.separators])
        return float(above / below) if below > 0 else 0.0


def _ones(scope: Sequence[int], cards: Sequence[int]) -> Factor:
    return Factor(tuple(scope), np.ones(tuple(cards[v] for v in scope)))


def _at(factor: Factor, states: Sequence[int]) -> float:
    return float(factor.table[tuple(states[v] for v in factor.scope)])
