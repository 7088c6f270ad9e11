"""Effects by districts: complete identification from observed probabilities, or the hedge."""

from collections.abc import Iterator
from dataclasses import dataclass

from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.causal.identification._expressions import (
    OBSERVED,
    Expression,
    Probability,
    Product,
    Ratio,
    Source,
    product,
    total,
)

_Set = int


@dataclass(frozen=True)
class Hedge:
    """Why an effect cannot be computed: two sets that no observation tells apart.

    Parameters
    ----------
    larger, smaller : tuple of nodes
        Both are joined by hidden causes and lead to the same effects; the treatment acts on the
        larger only. A model that uses the difference and one that does not look alike.
    """

    larger: tuple[Node, ...]
    smaller: tuple[Node, ...]


class HedgeFoundError(Exception):
    """An effect is not identifiable."""

    def __init__(self, hedge: Hedge) -> None:
        super().__init__(hedge)
        self.hedge = hedge


@dataclass(frozen=True)
class Rows:
    """A causal graph as bit sets, its nodes in a topological order."""

    names: tuple[Node, ...]
    parents: tuple[_Set, ...]
    spouses: tuple[_Set, ...]

    @classmethod
    def of(cls, graph: CausalGraph) -> "Rows":
        """The rows of a graph."""
        order: list[Node] = []
        waiting = list(graph.nodes)
        while waiting:
            done = set(order)
            ready = [node for node in waiting if set(graph.parents(node)) <= done]
            order += ready
            waiting = [node for node in waiting if node not in set(ready)]
        place = {node: i for i, node in enumerate(order)}
        return cls(
            tuple(order),
            tuple(sum(1 << place[p] for p in graph.parents(node)) for node in order),
            tuple(sum(1 << place[s] for s in graph.spouses(node)) for node in order),
        )

    def bits(self, nodes: tuple[Node, ...]) -> _Set:
        """Bit set of some nodes."""
        place = {node: i for i, node in enumerate(self.names)}
        return sum(1 << place[node] for node in set(nodes))

    def named(self, bits: _Set) -> tuple[Node, ...]:
        """Names of a bit set, causes first."""
        return tuple(name for i, name in enumerate(self.names) if bits >> i & 1)

    def do(self, treated: _Set) -> "Rows":
        """The rows once some nodes are set: nothing causes them any more."""
        if not treated:
            return self
        kept = [not treated >> i & 1 for i in range(len(self.names))]
        return Rows(
            self.names,
            tuple(p if keep else 0 for p, keep in zip(self.parents, kept, strict=True)),
            tuple(s & ~treated if keep else 0 for s, keep in zip(self.spouses, kept, strict=True)),
        )

    def ancestors(self, start: _Set, inside: _Set) -> _Set:
        """A set and all that lead to it within another."""
        return _closure(start & inside, self.parents, inside)

    def districts(self, inside: _Set) -> Iterator[_Set]:
        """Parts of a set joined by hidden causes within it."""
        left = inside
        while left:
            part = _closure(left & -left, self.spouses, inside)
            yield part
            left &= ~part


def _closure(start: _Set, steps: tuple[_Set, ...], inside: _Set) -> _Set:
    reached = fresh = start
    while fresh:
        ahead = 0
        while fresh:
            low = fresh & -fresh
            ahead |= steps[low.bit_length() - 1]
            fresh ^= low
        fresh = ahead & inside & ~reached
        reached |= fresh
    return reached


def effect(
    rows: Rows, treatment: _Set, outcome: _Set, sources: tuple[Source, ...] = (OBSERVED,)
) -> Expression:
    r"""Formula of :math:`P(y \mid do(x))` by districts (causal.25).

    With :math:`D` the causes of the outcome once the treatment is taken out and :math:`D_i` its
    districts,

    .. math:: P(y \mid do(x)) = \sum_{D \setminus y} \prod_i Q[D_i]

    where :math:`Q[S]` is the law of :math:`S` when all else is set. Each is found from the district
    around it in the graph of a source: of the observations, or of an experiment that touches none
    of its members, in a population where none of their mechanisms differs. If no source has it,
    there is no formula: the procedure is complete.
    """
    everything = (1 << len(rows.names)) - 1
    # Only causes of the outcome matter at all.
    everything = rows.ancestors(outcome, everything)
    seen = rows.ancestors(outcome, everything & ~treatment)
    factors = [_from_any(rows, part, everything, sources) for part in rows.districts(seen)]
    return total(rows.named(seen & ~outcome), product(factors))


def _from_any(rows: Rows, part: _Set, everything: _Set, sources: tuple[Source, ...]) -> Expression:
    """Q of a district from the first source that gives it away."""
    hedge: HedgeFoundError | None = None
    for source in sources:
        set_there = rows.bits(source.experiment)
        if part & (set_there | rows.bits(source.differs)):
            continue
        there = rows.do(set_there)
        around = _closure(part & -part, there.spouses, everything)
        try:
            return _found(there, part, around, _observed(there, around, everything, source))
        except HedgeFoundError as error:
            hedge = hedge or error
    raise hedge or HedgeFoundError(Hedge(rows.named(part), rows.named(part)))


def _observed(rows: Rows, district: _Set, inside: _Set, source: Source) -> Expression:
    """Q of a district of the whole: every member given all before it that matter."""
    factors = []
    for i, name in enumerate(rows.names):
        if not district >> i & 1:
            continue
        before = inside & ((1 << i) - 1)
        # Given its district so far and their parents, the rest before it tells nothing more.
        own = _closure(1 << i, rows.spouses, district & ((2 << i) - 1))
        given = own & ~(1 << i)
        for j in range(len(rows.names)):
            if own >> j & 1:
                given |= rows.parents[j]
        factors.append(Probability((name,), rows.named(given & before), source))
    return product(factors)


def _found(rows: Rows, part: _Set, around: _Set, law: Expression) -> Expression:
    """Q of a part from Q of a set around it, both of one district."""
    causes = rows.ancestors(part, around)
    if causes == part:
        return total(rows.named(around & ~part), law)
    if causes == around:
        raise HedgeFoundError(Hedge(rows.named(around), rows.named(part)))
    smaller = next(d for d in rows.districts(causes) if d & part)
    inner = total(rows.named(around & ~causes), law)
    return _found(rows, part, smaller, _conditionals(rows, smaller, causes, inner))


def _conditionals(rows: Rows, district: _Set, inside: _Set, law: Expression) -> Expression:
    """Q of a district from Q of the set it is a district of, factor by factor."""
    if isinstance(law, Product | Probability) and district == inside:
        return law
    factors: list[Expression] = []
    for i in range(len(rows.names)):
        if district >> i & 1:
            after = inside & ~((2 << i) - 1)
            top = total(rows.named(after), law)
            bottom = total(rows.named(after | 1 << i), law)
            one = isinstance(bottom, Product) and not bottom.factors
            factors.append(top if one else Ratio(top, bottom))
    return product(factors)
