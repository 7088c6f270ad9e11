"""Finite probability spaces (distributions.01)."""

import pytest
from numpy.testing import assert_allclose

from margin.distributions import FiniteProbabilitySpace

DICE = FiniteProbabilitySpace({(a, b): 1 / 36 for a in range(1, 7) for b in range(1, 7)})
SEVEN = {o for o in DICE.outcomes if sum(o) == 7}
FIRST = {o for o in DICE.outcomes if o[0] == 3}
DOUBLE = {o for o in DICE.outcomes if o[0] == o[1]}


def test_additivity_and_inclusion_exclusion():
    """distributions.01: the union of three events, directly and by all intersections."""
    assert_allclose(DICE.probability(SEVEN), 1 / 6)
    assert_allclose(DICE.union(SEVEN, FIRST, DOUBLE), DICE.probability(SEVEN | FIRST | DOUBLE))
    apart = DICE.probability(SEVEN) + DICE.probability(DOUBLE)
    assert_allclose(DICE.probability(SEVEN | DOUBLE), apart)
    assert_allclose(DICE.probability(DICE.outcomes), 1.0)
    assert DICE.probability(set()) == 0.0


def test_conditioning_and_independence():
    """distributions.01."""
    assert_allclose(DICE.conditional(SEVEN, FIRST), 1 / 6)
    assert DICE.independent(SEVEN, FIRST)
    assert not DICE.independent(SEVEN, DOUBLE)


def test_algebras():
    """distributions.01: complements and unions; the smallest algebra with some events."""
    coin = FiniteProbabilitySpace({"a": 0.2, "b": 0.3, "c": 0.5})
    assert coin.is_algebra([set(), {"a"}, {"b", "c"}, {"a", "b", "c"}])
    assert not coin.is_algebra([set(), {"a"}, {"a", "b", "c"}])
    assert not coin.is_algebra([set(), {"a"}, {"b"}, {"b", "c"}, {"a", "c"}, {"a", "b", "c"}])
    smallest = coin.generated_algebra([{"a"}])
    assert smallest == {frozenset(), frozenset("a"), frozenset("bc"), frozenset("abc")}
    assert coin.is_algebra(coin.generated_algebra([{"a"}, {"b"}]))


def test_refusals():
    with pytest.raises(ValueError, match="FiniteProbabilitySpace: probabilities must be of sum 1"):
        FiniteProbabilitySpace({"a": 0.5})
    with pytest.raises(ValueError, match="event must be a set of outcomes"):
        DICE.probability({"heads"})
    with pytest.raises(ValueError, match="given must be an event of probability above 0"):
        DICE.conditional(SEVEN, set())
