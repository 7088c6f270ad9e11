"""Ways to write a law so that every factor is seen where it is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from margin.causal.graph._types import Node
from margin.causal.identification._expressions import (
    OBSERVED,
    Expression,
    Probability,
    Ratio,
    Source,
    product,
    total,
)
from margin.causal.missingness._missingness_graph import MissingnessGraph, Names


def where_seen(study: MissingnessGraph, variables: Iterable[Node]) -> Source:
    """The rows in which all of some variables are known."""
    seen = tuple((v, study.indicators[v]) for v in study.indicators if v in set(variables))
    return Source(seen=seen) if seen else OBSERVED


def direct(study: MissingnessGraph, targets: Names, given: Names) -> Expression | None:
    """P(targets | given) among the complete rows, where being complete tells nothing more."""
    signs = study.signs((*targets, *given))
    if not study.independent(targets, signs, given):
        return None
    return Probability(targets, given, where_seen(study, (*targets, *given)))


def at_random(study: MissingnessGraph, names: Names) -> Expression | None:
    """What is always seen, and the rest given it among the complete rows."""
    always = tuple(name for name in names if name in study.always_seen)
    hidden = tuple(name for name in names if name in study.indicators)
    rest = direct(study, hidden, always) if hidden and always else None
    return None if rest is None else product([Probability(always), rest])


def in_turn(study: MissingnessGraph, names: Names) -> Expression | None:
    """One variable after the other given some of the rest, each where these are seen.

    A variable can be taken off when some of the others make it independent of the remaining ones
    and of the indicators of itself and of these.
    """
    hopeless: set[frozenset[Node]] = set()

    def factors(left: Names) -> list[Expression] | None:
        if not left:
            return []
        if frozenset(left) in hopeless:
            return None
        for name in reversed(left):
            others = tuple(other for other in left if other != name)
            factor = _one(study, name, others)
            rest = None if factor is None else factors(others)
            if factor is not None and rest is not None:
                return [factor, *rest]
        hopeless.add(frozenset(left))
        return None

    taken = factors(names)
    return None if taken is None else product(taken)


def _one(study: MissingnessGraph, name: Node, others: Names) -> Expression | None:
    """P(name | others) by those that matter, by these and what is always seen, or by all."""
    near = others
    for other in others:
        fewer = tuple(node for node in near if node != other)
        if study.independent((name,), others, fewer):
            near = fewer
    wider = tuple(node for node in others if node in near or node in study.always_seen)
    for given in dict.fromkeys((near, wider, others)):
        factor = direct(study, (name,), given)
        if factor is not None:
            return factor
    return None


def weighted(study: MissingnessGraph, names: Names) -> Expression | None:
    r"""The complete rows, each weighted by the chance that it is complete.

    .. math:: P(v) \propto P(v \mid R = 1) \Big/ \prod_i P(R_i = 1 \mid w_i, R_{<i} = 1)

    where every :math:`w_i` is without the variable that the indicator hides, and its chance does
    not depend on whether these are seen.
    """
    hidden = tuple(name for name in names if name in study.indicators)
    hopeless: set[frozenset[Node]] = set()

    def chances(before: Names, left: Names) -> list[Expression] | None:
        if not left:
            return []
        if frozenset(left) in hopeless:
            return None
        for name in left:
            chance = _chance(study, name, before, names)
            others = tuple(other for other in left if other != name)
            rest = None if chance is None else chances((*before, name), others)
            if chance is not None and rest is not None:
                return [*([chance] if chance is not _ONE else []), *rest]
        hopeless.add(frozenset(left))
        return None

    law = chances((), hidden)
    if law is None:
        return None
    whole = Probability(names, (), where_seen(study, names))
    weight = product([whole, *law])
    return whole if not law else Ratio(weight, total(names, weight))


_ONE = product([])


def _chance(study: MissingnessGraph, name: Node, before: Names, names: Names) -> Expression | None:
    """One over the chance that a variable is seen, but for a constant: a ratio of two laws."""
    sign, earlier = study.indicators[name], study.signs(before)
    causes = tuple(node for node in names if node != name)
    if not study.independent((sign,), (name,), (*causes, *earlier)):
        return None
    for node in causes:
        fewer = tuple(other for other in causes if other != node)
        if study.independent((sign,), names, (*fewer, *earlier)):
            causes = fewer
    if not study.independent((sign,), study.signs(causes), (*causes, *earlier)):
        return None
    if not causes:
        return _ONE
    # P(R = 1 | w, A) is proportional to P(w | R = 1, A) / P(w | A).
    without = Probability(causes, (), where_seen(study, (*causes, *before)))
    seen = Probability(causes, (), where_seen(study, (*causes, *before, name)))
    return Ratio(without, seen)
