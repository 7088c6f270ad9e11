"""What follows from some marks for others: the ten rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from margin.graphs.ancestral._discriminating import discriminating_paths
from margin.graphs.ancestral._marks import Marks
from margin.graphs.ancestral._walks import uncovered_reach, uncovered_round
from margin.graphs.bits import _sets
from margin.graphs.bits._order import transposed

Triple = tuple[int, int, int]
Decision = Callable[[list[tuple[int, ...]]], bool | None]
"""Whether the last but one node of these paths is a collider; None: nothing is known.

The paths, the shortest first, discriminate the same triple and differ in where they start."""


class Asked:
    """Marks that one rule asks for, to be set together: rules do not depend on the order."""

    def __init__(self, size: int) -> None:
        self.heads, self.tails = [0] * size, [0] * size

    def head(self, at: int, other: int) -> None:
        self.heads[at] |= 1 << other

    def tail(self, at: int, other: int) -> None:
        self.tails[at] |= 1 << other


@dataclass(frozen=True, eq=False)
class Rules:
    """Closure of marks under the rules of Zhang (2008), numbered as there.

    Parameters
    ----------
    decide : callable
        Says of discriminating paths whether their last but one node is a collider.
    unclear : frozenset of (i, k, j), i < j
        Unshielded triples of which nobody knows whether k is a collider: no rule builds on them.
    selection : bool
        Whether rows may have been selected: without, rules 5 to 7 have nothing to do.
    """

    decide: Decision
    unclear: frozenset[Triple] = frozenset()
    selection: bool = True

    def close(self, marks: Marks) -> None:
        """Apply the first stage that changes something, until none does."""
        late = [[_rule_5], [_rule_6, _rule_7]] if self.selection else []
        stages = [[_rule_1, _rule_2, _rule_3], [_rule_4], *late, [_rule_8, _rule_9_and_10]]
        while any(self._stage(stage, marks) for stage in stages):
            pass

    def _stage(self, rules: Sequence[Callable[[Rules, Marks, Asked], None]], marks: Marks) -> bool:
        asked = Asked(len(marks.heads))
        for rule in rules:
            rule(self, marks, asked)
        return marks.settle(asked.heads, asked.tails)

    def clear(self, i: int, k: int, j: int) -> bool:
        """Whether rules may take the unshielded triple for what the marks say."""
        return not self.unclear or (min(i, j), k, max(i, j)) not in self.unclear


def _rule_1(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A *-> b o-* c, a and c apart: b --> c."""
    joined, tailed = marks.joined(), transposed(marks.tails)
    for b, open_ends in enumerate(marks.circles):
        for a in _sets.members(marks.heads[b] if open_ends else 0):
            for c in _sets.members(open_ends & ~joined[a] & ~(1 << a) & ~tailed[b]):
                if rules.clear(a, b, c):
                    asked.tail(b, c)
                    asked.head(c, b)


def _rule_2(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A --> b *-> c or a *-> b --> c, and a *-o c: a *-> c."""
    pointed, parents = transposed(marks.heads), marks.parents()
    for c, open_ends in enumerate(marks.circles):
        for a in _sets.members(open_ends):
            children = pointed[a] & marks.tails[a]
            if children & marks.heads[c] or pointed[a] & parents[c]:
                asked.head(c, a)


def _rule_3(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A *-> b <-* c, a *-o d o-* c, a and c apart, d *-o b: d *-> b."""
    joined = marks.joined()
    for b, open_ends in enumerate(marks.circles):
        for d in _sets.members(open_ends):
            both = marks.heads[b] & marks.circles[d]
            if any(
                rules.clear(a, d, c)
                for a in _sets.members(both)
                for c in _sets.members((both & ~joined[a]) >> (a + 1) << (a + 1))
            ):
                asked.head(b, d)


def _rule_4(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A discriminating path (t, …, a, b, c): a <-> b <-> c, or b --> c."""
    paths: dict[Triple, list[tuple[int, ...]]] = {}
    for path in discriminating_paths(marks, marks.joined(), marks.parents()):
        paths.setdefault(path[-3:], []).append(path)  # type: ignore[arg-type]
    for (a, b, c), several in paths.items():
        collider = rules.decide(sorted(several, key=lambda path: (len(path), path)))
        if collider:
            asked.head(b, a)
            asked.head(b, c)
            asked.head(c, b)
        elif collider is not None:
            asked.tail(b, c)
            asked.head(c, b)


def _rule_5(rules: Rules, marks: Marks, asked: Asked) -> None:
    """An uncovered circle of edges o-o, however long: all of them undirected."""
    back = transposed(marks.circles)
    both_open = [c & b for c, b in zip(marks.circles, back, strict=True)]
    joined = marks.joined()
    for a, ends in enumerate(both_open):
        for b in _sets.members(ends >> (a + 1) << (a + 1)):
            for i, j in uncovered_round(both_open, joined, a, b, rules.clear):
                asked.tail(i, j)
                asked.tail(j, i)


def _rule_6(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A --- b o-* c: b --* c."""
    tailed = transposed(marks.tails)
    for b, open_ends in enumerate(marks.circles):
        if marks.tails[b] & tailed[b]:
            asked.tails[b] |= open_ends


def _rule_7(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A --o b o-* c, a and c apart: b --* c."""
    tailed, joined = transposed(marks.tails), marks.joined()
    for b, open_ends in enumerate(marks.circles):
        for a in _sets.members(open_ends & tailed[b]):
            for c in _sets.members(open_ends & ~joined[a] & ~(1 << a)):
                if rules.clear(a, b, c):
                    asked.tail(b, c)


def _rule_8(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A --> b --> c or a --o b --> c, and a o-> c: a --> c."""
    tailed, parents = transposed(marks.tails), marks.parents()
    pointed = transposed(marks.heads)
    for a, open_ends in enumerate(marks.circles):
        onwards = marks.tails[a] & ~tailed[a]
        for c in _sets.members(open_ends & pointed[a] if onwards else 0):
            if onwards & parents[c]:
                asked.tail(a, c)


def _rule_9_and_10(rules: Rules, marks: Marks, asked: Asked) -> None:
    """A o-> c where, one way or the other, a must cause c: a --> c.

    (9) An uncovered possibly directed path leads from a to c whose second node is apart from c.
    (10) Such paths lead from a to two parents of c (or one), and their second nodes are apart.
    """
    joined, parents, ahead = marks.joined(), marks.parents(), marks.ahead()
    pointed = transposed(marks.heads)
    for a, open_ends in enumerate(marks.circles):
        targets = open_ends & pointed[a]
        if not targets:
            continue
        reach = {
            m: uncovered_reach(ahead, joined, a, m, rules.clear) for m in _sets.members(ahead[a])
        }
        for c in _sets.members(targets):
            straight = any(
                reached >> c & 1 and not joined[m] >> c & 1 and rules.clear(m, a, c)
                for m, reached in reach.items()
                if m != c
            )
            starts = _sets.mask(m for m, r in reach.items() if m != c and r & parents[c])
            if straight or any(
                rules.clear(m, a, w)
                for m in _sets.members(starts)
                for w in _sets.members((starts & ~joined[m]) >> (m + 1) << (m + 1))
            ):
                asked.tail(a, c)
