"""Effects by districts: complete identification from observed probabilities, or the hedge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from margin.causal.identification._rows import Rows
from margin.graphs.bits._sets import members


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


def effect(
    rows: Rows, treatment: int, outcome: int, sources: tuple[Source, ...] = (OBSERVED,)
) -> Expression | Hedge:
    r"""Formula of :math:`P(y \mid do(x))` by districts (causal.25).

    With :math:`D` the causes of the outcome once the treatment is taken out and :math:`D_i` its
    districts,

    .. math:: P(y \mid do(x)) = \sum_{D \setminus y} \prod_i Q[D_i]

    where :math:`Q[S]` is the law of :math:`S` when all else is set. Each is found from the district
    around it in the graph of a source: of the observations, or of an experiment that touches none
    of its members, in a population where none of their mechanisms differs. If no source has it,
    there is no formula but a hedge: the procedure is complete.
    """
    # Only causes of the outcome matter at all.
    everything = rows.ancestors(outcome, -1)
    seen = rows.ancestors(outcome, everything & ~treatment)
    places = [_Place.of(rows, source, everything) for source in sources]
    # Whether there is a formula is known before any is written down.
    ways = []
    for part in rows.districts(seen):
        way = _from_any(places, part)
        if isinstance(way, Hedge):
            return way
        ways.append(way)
    return total(rows.named(seen & ~outcome), product([way.law() for way in ways]))


@dataclass(frozen=True)
class _Place:
    """Where a law may be found: the graph of a source, and what its laws are no good for."""

    source: Source
    rows: Rows
    everything: int
    barred: int

    @classmethod
    def of(cls, rows: Rows, source: Source, everything: int) -> _Place:
        set_there = rows.bits(source.experiment)
        barred = set_there | rows.bits(source.differs)
        return cls(source, rows.do(set_there), everything, barred)

    def way(self, part: int) -> _Way | Hedge:
        """From the district around a part to the part, or the hedge that is in the way."""
        around = whole = self.rows.district(part, self.everything)
        steps = []
        causes = self.rows.ancestors(part, around)
        while causes != part:
            if causes == around:
                return Hedge(self.rows.named(around), self.rows.named(part))
            around = self.rows.district(part, causes)
            steps.append((causes, around))
            causes = self.rows.ancestors(part, around)
        return _Way(self, part, whole, tuple(steps))


@dataclass(frozen=True)
class _Way:
    """Sets on the way from the district of a source to a part of it.

    Every step goes on to the causes of the part, and to the district of these around it.
    """

    place: _Place
    part: int
    whole: int
    steps: tuple[tuple[int, int], ...]

    def law(self) -> Expression:
        """Q of the part."""
        rows, around = self.place.rows, self.whole
        law = _observed(rows, around, self.place.everything, self.place.source)
        for causes, district in self.steps:
            inner = total(rows.named(around & ~causes), law)
            law = _conditionals(rows, district, causes, inner)
            around = district
        return total(rows.named(around & ~self.part), law)


def _from_any(places: Sequence[_Place], part: int) -> _Way | Hedge:
    """The way to Q of a district from the first source that gives it away."""
    hedge = None
    for place in places:
        if not part & place.barred:
            way = place.way(part)
            if isinstance(way, _Way):
                return way
            hedge = hedge or way
    named = places[0].rows.named(part)
    return hedge or Hedge(named, named)


def _observed(rows: Rows, district: int, inside: int, source: Source) -> Expression:
    """Q of a district of the whole: every member given all before it that matter."""
    factors = []
    groups: list[tuple[int, int]] = []  # joined so far, and with their parents
    for i in members(district):
        own = 1 << i
        known, spouses, apart = own | rows.parents[i], rows.spouses[i], []
        # Given its district so far and their parents, the rest before it tells nothing more.
        for group, with_parents in groups:
            if group & spouses:
                own |= group
                known |= with_parents
            else:
                apart.append((group, with_parents))
        groups = [*apart, (own, known)]
        given = rows.named(known & inside & ((1 << i) - 1))
        factors.append(Probability(rows.named(1 << i), given, source))
    return product(factors)


def _conditionals(rows: Rows, district: int, inside: int, law: Expression) -> Expression:
    """Q of a district from Q of the set it is a district of, factor by factor."""
    if isinstance(law, Product | Probability) and district == inside:
        return law
    factors: list[Expression] = []
    for i in members(district):
        after = inside & ~((2 << i) - 1)
        top = total(rows.named(after), law)
        bottom = total(rows.named(after | 1 << i), law)
        one = isinstance(bottom, Product) and not bottom.factors
        factors.append(top if one else Ratio(top, bottom))
    return product(factors)
