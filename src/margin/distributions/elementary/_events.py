"""Finite probability spaces."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from margin.core import check

Event = frozenset[Hashable]


@dataclass(frozen=True, eq=False)
class FiniteProbabilitySpace:
    r"""Outcomes with probabilities, and the algebra of their events (distributions.01).

    Parameters
    ----------
    probabilities : mapping
        Probability of every outcome; together one.

    Examples
    --------
    >>> die = FiniteProbabilitySpace({face: 1 / 6 for face in range(1, 7)})
    >>> even, small = {2, 4, 6}, {1, 2, 3}
    >>> round(die.probability(even), 6), round(die.conditional(even, small), 6)
    (0.5, 0.333333)
    >>> round(die.union(even, small), 6)
    0.833333
    """

    probabilities: Mapping[Any, float]

    def __post_init__(self) -> None:
        values = np.array(list(self.probabilities.values()), dtype=np.float64)
        if not len(values) or not np.isfinite(values).all() or values.min() < 0:
            raise check.fail(self, "probabilities", "finite and at least 0", values)
        if abs(values.sum() - 1.0) > 1e-9:
            raise check.fail(self, "probabilities", "of sum 1", float(values.sum()))
        object.__setattr__(self, "probabilities", dict(self.probabilities))

    @property
    def outcomes(self) -> Event:
        """The certain event."""
        return frozenset(self.probabilities)

    def probability(self, event: Iterable[Any]) -> float:
        """Probability of an event: the sum over its outcomes."""
        return float(sum(self.probabilities[outcome] for outcome in self._event(event)))

    def conditional(self, event: Iterable[Any], given: Iterable[Any]) -> float:
        """Probability of an event once another is known."""
        known = self._event(given)
        total = self.probability(known)
        if not total > 0:
            raise check.fail(self, "given", "an event of probability above 0", set(known))
        return self.probability(self._event(event) & known) / total

    def union(self, *events: Iterable[Any]) -> float:
        r"""Probability of a union by inclusion and exclusion.

        .. math:: P(\bigcup_i A_i) = \sum_{\emptyset \ne S} (-1)^{|S| + 1} P(\bigcap_{i \in S} A_i)
        """
        sets = [self._event(event) for event in events]
        total = 0.0
        for size in range(1, len(sets) + 1):
            for chosen in combinations(sets, size):
                total += (-1) ** (size + 1) * self.probability(frozenset.intersection(*chosen))
        return total

    def independent(self, first: Iterable[Any], second: Iterable[Any]) -> bool:
        """Whether the probability of both is the product of both probabilities."""
        one, two = self._event(first), self._event(second)
        product = self.probability(one) * self.probability(two)
        return bool(abs(self.probability(one & two) - product) <= 1e-12)

    def is_algebra(self, events: Iterable[Iterable[Any]]) -> bool:
        """Whether events contain the certain one, and with each its complement and all unions."""
        family = {self._event(event) for event in events}
        whole = self.outcomes
        if whole not in family or any(whole - event not in family for event in family):
            return False
        return all(a | b in family for a, b in combinations(family, 2))

    def generated_algebra(self, events: Iterable[Iterable[Any]]) -> set[Event]:
        """The smallest algebra with some events: all unions of the parts they cut out."""
        given = [self._event(event) for event in events]
        parts: dict[tuple[bool, ...], set[Hashable]] = {}
        for outcome in self.probabilities:
            parts.setdefault(tuple(outcome in event for event in given), set()).add(outcome)
        atoms = [frozenset(part) for part in parts.values()]
        if len(atoms) > 20:
            raise check.fail(self, "events", "at most 20 parts", len(atoms))
        return {
            frozenset().union(*chosen)
            for size in range(len(atoms) + 1)
            for chosen in combinations(atoms, size)
        }

    def _event(self, event: Iterable[Any]) -> Event:
        chosen = frozenset(event)
        unknown = chosen - self.outcomes
        if unknown:
            raise check.fail(self, "event", "a set of outcomes", sorted(map(repr, unknown)))
        return chosen
