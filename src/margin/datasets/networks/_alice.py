"""Alice's two children: what exactly was learnt decides the probability."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
from sklearn.utils import Bunch

from margin.datasets import _requirements as require
from margin.datasets.networks._network import network

Child = tuple[bool, bool]  # is a boy, was born on the day that was mentioned

_CHILDREN: list[Child] = [(True, True), (True, False), (False, True), (False, False)]
_NAMES = ["boy on the day", "boy on another day", "girl on the day", "girl on another day"]


def _nothing(first: Child, second: Child) -> bool:
    return True


def _first_is_boy(first: Child, second: Child) -> bool:
    return first[0]


def _some_boy(first: Child, second: Child) -> bool:
    return first[0] or second[0]


def _some_boy_on_day(first: Child, second: Child) -> bool:
    return all(first) or all(second)


def _some_boy_and_some_day(first: Child, second: Child) -> bool:
    return (first[0] or second[0]) and (first[1] or second[1])


# Name, what was learnt, number of equally likely days.
_VARIANTS: dict[str, tuple[Callable[[Child, Child], bool], int]] = {
    "nothing": (_nothing, 7),
    "first-born is a boy": (_first_is_boy, 7),
    "at least one is a boy": (_some_boy, 7),
    "a boy born on a Sunday": (_some_boy_on_day, 7),
    "a boy whose birthday is today": (_some_boy_on_day, 365),
}


def both_boys_given_boy_on_day(n_days: int) -> Fraction:
    """P(two boys | a boy born on one given day of ``n_days``) = (2n - 1) / (4n - 1).

    Serves datasets.04. It rises from 1/3 (the day says nothing) towards 1/2 (the day singles
    out one child).

    Parameters
    ----------
    n_days : int
        Number of equally likely days.

    Examples
    --------
    >>> [str(both_boys_given_boy_on_day(n)) for n in (1, 7, 365)]
    ['1/3', '13/27', '729/1459']
    """
    require.count("both_boys_given_boy_on_day", n_days=n_days)
    return _posterior(_some_boy_on_day, n_days)


def _weights(n_days: int) -> list[Fraction]:
    on_day = Fraction(1, 2 * n_days)
    return [on_day if child[1] else Fraction(1, 2) - on_day for child in _CHILDREN]


def _posterior(told: Callable[[Child, Child], bool], n_days: int) -> Fraction:
    """P(two boys | told), by summing over the sixteen pairs of children."""
    weighted = list(zip(_CHILDREN, _weights(n_days), strict=True))
    evidence = joint = Fraction(0)
    for (first, p), (second, q) in product(weighted, repeat=2):
        if told(first, second):
            evidence += p * q
            joint += p * q * (first[0] and second[0])
    return joint / evidence


def load_alice_children() -> Bunch:
    """Alice has two children, not twins; is it two boys? Five variants and one wrong model.

    Serves datasets.04. Sexes and days of birth are uniform and independent. The probability of
    two boys is 1/4 knowing nothing, 1/2 if the first-born is a boy, 1/3 if at least one is,
    13/27 if at least one is a boy born on a Sunday, 729/1459 if at least one is a boy whose
    birthday is today. The wrong model of the Sunday variant conditions on "some boy" and "some
    child born on a Sunday" without asking that they be the same child.

    Returns
    -------
    Bunch
        ``answers``, exact fractions by variant; ``wrong``, what the wrong model says of the Sunday
        variant (it conditions on the day but finds it tells nothing); ``networks``, one network
        (as of :func:`load_burglary`) per variant with nodes first, second, told, both boys, whose
        only answer is the posterior given what was told.

    Examples
    --------
    >>> alice = load_alice_children()
    >>> [str(p) for p in alice.answers.values()]
    ['1/4', '1/2', '1/3', '13/27', '729/1459']
    >>> str(alice.wrong)
    '1/3'
    """
    answers = {name: _posterior(*variant) for name, variant in _VARIANTS.items()}
    networks = {
        name: _network(told, n_days, answers[name]) for name, (told, n_days) in _VARIANTS.items()
    }
    return Bunch(
        answers=answers,
        wrong=_wrong_sunday_model(),
        networks=networks,
        DESCR="Alice's two children: five pieces of information, five probabilities.",
    )


def _wrong_sunday_model() -> Fraction:
    """P(two boys, some Sunday | some boy, some Sunday): the day cancels, 1/3 is left."""
    return _posterior(_some_boy_and_some_day, 7)


def _network(told: Callable[[Child, Child], bool], n_days: int, answer: Fraction) -> Bunch:
    prior = [float(weight) for weight in _weights(n_days)]
    heard = np.zeros((4, 4, 2))
    boys = np.zeros((4, 4, 2))
    for (i, first), (j, second) in product(enumerate(_CHILDREN), repeat=2):
        heard[i, j, int(told(first, second))] = 1.0
        boys[i, j, int(first[0] and second[0])] = 1.0
    yes_no = ["no", "yes"]
    return network(
        "load_alice_children",
        {"first": _NAMES, "second": _NAMES, "told": yes_no, "both boys": yes_no},
        [(child, fact) for fact in ("told", "both boys") for child in ("first", "second")],
        {"first": prior, "second": prior, "told": heard, "both boys": boys},
        {"both boys=yes | told=yes": answer},
    )
