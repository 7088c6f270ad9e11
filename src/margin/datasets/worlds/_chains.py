"""Markov chains, seen (the weather) and hidden (the chimpanzee)."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw

_WEATHER = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4]])


def make_weather(n_samples: int = 365, *, start: str = "sunny", random_state: Any = None) -> Bunch:
    r"""A state machine for the weather, and a record of days drawn from it.

    Serves datasets.11: :math:`p_\infty = p_\infty T`, where
    :math:`T_{ij} = p(\text{tomorrow}=j \mid \text{today}=i)`; whatever today is, the
    distribution of a far day is :math:`p_\infty = (6, 4, 3)/13`. The numbers are invented.

    Parameters
    ----------
    n_samples : int
        Number of days.
    start : {"sunny", "cloudy", "rainy"}
        Weather of the first day.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``, codes into ``states``; ``transition`` with rows that sum to 1; ``stationary`` as
        exact fractions.

    Examples
    --------
    >>> weather = make_weather(4, random_state=0)
    >>> [weather.states[code] for code in weather.data]
    ['sunny', 'sunny', 'sunny', 'sunny']
    >>> [str(p) for p in weather.stationary]
    ['6/13', '4/13', '3/13']
    """
    states = ["sunny", "cloudy", "rainy"]
    require.count("make_weather", n_samples=n_samples)
    require.one_of("make_weather", states, start=start)
    first = np.eye(3)[states.index(start)]
    return Bunch(
        data=_walk(first, _WEATHER, n_samples, generator(random_state)),
        states=states,
        start=first,
        transition=_WEATHER.copy(),
        stationary=[Fraction(6, 13), Fraction(4, 13), Fraction(3, 13)],
        DESCR="Daily weather as a three-state machine; the numbers are invented.",
    )


def make_chimpanzee(
    n_sequences: int = 50,
    *,
    min_length: int = 20,
    max_length: int = 40,
    start: ArrayLike = (0.5, 0.5),
    transition: ArrayLike = ((0.8, 0.2), (0.3, 0.7)),
    emission: ArrayLike = ((0.3, 0.6, 0.1), (0.4, 0.1, 0.5)),
    random_state: Any = None,
) -> Bunch:
    r"""The wildlife photographer: on which bank of the river is the chimpanzee tomorrow?

    Serves datasets.12: a hidden Markov model with states north, south and observations none
    (no or contradictory evidence), north, south (sightings that may be wrong),
    :math:`p(x, y) = \rho_{x_1} \prod_j \pi_{x_{j-1} x_j} \prod_j \mu_{x_j y_j}`.
    The numbers are invented.

    Parameters
    ----------
    n_sequences : int
        Number of expeditions.
    min_length, max_length : int
        Bounds of the number of days of an expedition.
    start, transition, emission : array-like of shape (2,), (2, 2), (2, 3)
        :math:`\rho`, :math:`\pi` and :math:`\mu`; rows sum to 1.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``, a list of arrays of observations; ``hidden``, the states behind them;
        ``next_hidden``, the state on the day after each sequence and ``next_probability``, its
        exact distribution given the observations; ``log_likelihood`` of each sequence under the
        true parameters; the parameters.

    Examples
    --------
    >>> chimp = make_chimpanzee(2, min_length=3, max_length=5, random_state=1)
    >>> [len(days) for days in chimp.data]
    [4, 4]
    >>> chimp.next_probability.sum(axis=1).round(12)
    array([1., 1.])
    """
    owner = "make_chimpanzee"
    require.count(owner, n_sequences=n_sequences, min_length=min_length)
    require.count(owner, minimum=min_length, max_length=max_length)
    rho, pi, mu = (np.asarray(table, dtype=float) for table in (start, transition, emission))
    for name, table, shape in (
        ("start", rho, (2,)),
        ("transition", pi, (2, 2)),
        ("emission", mu, (2, 3)),
    ):
        if table.shape != shape:
            raise ValueError(f"{owner}: {name} must have shape {shape}, got {table.shape}")
    require.distribution(owner, start=rho, transition=pi, emission=mu)
    rng = generator(random_state)
    lengths = rng.integers(min_length, max_length + 1, size=n_sequences)
    paths = [_walk(rho, pi, length + 1, rng) for length in lengths]
    seen = [draw(mu[path[:-1]], rng) for path in paths]
    forward = [_forward(days, rho, pi, mu) for days in seen]
    return Bunch(
        data=seen,
        hidden=[path[:-1] for path in paths],
        next_hidden=np.array([path[-1] for path in paths]),
        next_probability=np.array([state @ pi for _, state in forward]),
        log_likelihood=np.array([value for value, _ in forward]),
        states=["north", "south"],
        symbols=["none", "north", "south"],
        start=rho,
        transition=pi,
        emission=mu,
        DESCR="Sightings of a chimpanzee on two banks of a river; the numbers are invented.",
    )


def _walk(
    start: Floats,
    transition: Floats,
    length: int,
    rng: np.random.Generator,
) -> Places:
    uniform = rng.random(length)
    bounds = np.cumsum(transition, axis=1)[:, :-1]
    path = np.empty(length, dtype=np.intp)
    path[0] = (uniform[0] >= np.cumsum(start)[:-1]).sum()
    for step in range(1, length):
        path[step] = (uniform[step] >= bounds[path[step - 1]]).sum()
    return path


def _forward(
    days: Places,
    start: Floats,
    transition: Floats,
    emission: Floats,
) -> tuple[float, Floats]:
    """Log likelihood, and the distribution of the last state given all observations."""
    state, log_likelihood = start, 0.0
    for step, day in enumerate(days):
        joint = (state if step == 0 else state @ transition) * emission[:, day]
        total = joint.sum()
        log_likelihood += float(np.log(total))
        state = joint / total
    return log_likelihood, state
