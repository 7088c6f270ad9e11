from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from margin.datasets import both_boys_given_boy_on_day, load_alice_children


def count(n_days, told):
    """P(two boys | told) by counting equally likely pairs of (is boy, day) children."""
    children = list(product((True, False), range(n_days)))
    worlds = [pair for pair in product(children, repeat=2) if told(*pair)]
    return Fraction(sum(first[0] and second[0] for first, second in worlds), len(worlds))


def test_five_variants_by_counting():
    """datasets.04: four variants by listing every world, the fifth by counting arrays."""
    answers = load_alice_children().answers
    assert answers["nothing"] == count(7, lambda a, b: True) == Fraction(1, 4)
    assert answers["first-born is a boy"] == count(7, lambda a, b: a[0]) == Fraction(1, 2)
    assert answers["at least one is a boy"] == count(7, lambda a, b: a[0] or b[0])
    sunday = count(7, lambda a, b: a == (True, 0) or b == (True, 0))
    assert answers["a boy born on a Sunday"] == sunday == Fraction(13, 27)
    boy, day = (axis.ravel() for axis in np.indices((2, 365)))
    special = (boy == 1) & (day == 0)
    told = special[:, None] | special[None, :]
    both = (boy[:, None] == 1) & (boy[None, :] == 1)
    birthday = Fraction(int((told & both).sum()), int(told.sum()))
    assert answers["a boy whose birthday is today"] == birthday == Fraction(729, 1459)


def test_wrong_model():
    """datasets.04: forgetting that it is the same child makes the day worthless."""
    wrong = count(7, lambda a, b: (a[0] or b[0]) and (a[1] == 0 or b[1] == 0))
    assert load_alice_children().wrong == wrong == Fraction(1, 3)


def test_closed_form_and_its_limits():
    """datasets.04: (2n - 1) / (4n - 1) rises from 1/3 towards 1/2."""
    values = [both_boys_given_boy_on_day(n) for n in range(1, 40)]
    assert values == [Fraction(2 * n - 1, 4 * n - 1) for n in range(1, 40)]
    assert all(low < high < Fraction(1, 2) for low, high in pairwise(values))
    with pytest.raises(ValueError, match="n_days must be an integer of at least 1"):
        both_boys_given_boy_on_day(0)


def test_networks_give_the_same_answers(check_answers):
    """datasets.04: each variant as a Bayesian network with evidence."""
    networks = load_alice_children().networks
    assert sum(check_answers(net) for net in networks.values()) == 5
