from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from margin.datasets import make_chimpanzee, make_weather


def test_weather_stationary_distribution_is_exact():
    """datasets.11: p = pT in fractions, and any start forgets itself."""
    weather = make_weather(1)
    exact = [[Fraction(str(p)) for p in row] for row in weather.transition]
    p = weather.stationary
    assert sum(p) == 1
    assert [sum(p[i] * exact[i][j] for i in range(3)) for j in range(3)] == p
    far = np.linalg.matrix_power(weather.transition, 200)
    assert far == pytest.approx(np.tile([float(v) for v in p], (3, 1)), abs=1e-14)


def test_weather_record_follows_the_machine():
    """datasets.11: transition counts of a long record."""
    weather = make_weather(60_000, start="rainy", random_state=0)
    assert weather.data[0] == 2
    counts = np.zeros((3, 3))
    np.add.at(counts, (weather.data[:-1], weather.data[1:]), 1)
    rows = counts.sum(axis=1, keepdims=True)
    assert np.all(np.abs(counts / rows - weather.transition) < 5 * 0.5 / np.sqrt(rows))
    with pytest.raises(ValueError, match="start must be one of"):
        make_weather(start="foggy")


def test_chimpanzee_likelihood_and_prediction_by_enumeration():
    """datasets.12: sum over every hidden path of a short expedition."""
    chimp = make_chimpanzee(6, min_length=1, max_length=6, random_state=2)
    for index, days in enumerate(chimp.data):
        after = np.zeros(2)
        for path in product(range(2), repeat=len(days)):
            weight = chimp.start[path[0]] * chimp.emission[path[0], days[0]]
            for step in range(1, len(days)):
                weight *= chimp.transition[path[step - 1], path[step]]
                weight *= chimp.emission[path[step], days[step]]
            after += weight * chimp.transition[path[-1]]
        assert chimp.log_likelihood[index] == pytest.approx(np.log(after.sum()))
        assert chimp.next_probability[index] == pytest.approx(after / after.sum())


def test_chimpanzee_sequences_follow_the_parameters():
    """datasets.12: ragged lengths, supervised counts, and calibrated predictions."""
    chimp = make_chimpanzee(2000, random_state=0)
    lengths = {len(days) for days in chimp.data}
    assert min(lengths) == 20
    assert max(lengths) == 40
    moves, sights = np.zeros((2, 2)), np.zeros((2, 3))
    for days, hidden in zip(chimp.data, chimp.hidden, strict=True):
        np.add.at(moves, (hidden[:-1], hidden[1:]), 1)
        np.add.at(sights, (hidden, days), 1)
    for counts, truth in ((moves, chimp.transition), (sights, chimp.emission)):
        rows = counts.sum(axis=1, keepdims=True)
        assert np.all(np.abs(counts / rows - truth) < 5 * 0.5 / np.sqrt(rows))
    hits = (chimp.next_hidden == 1).mean()
    assert hits == pytest.approx(chimp.next_probability[:, 1].mean(), abs=5 * 0.5 / np.sqrt(2000))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"min_length": 5, "max_length": 4}, "max_length must be an integer of at least 5"),
        ({"start": [0.5, 0.6]}, "start must be nonnegative and sum to 1"),
        ({"emission": [[1.0], [1.0]]}, "emission must have shape"),
    ],
)
def test_chimpanzee_refuses_bad_input(argument, message):
    with pytest.raises(ValueError, match=f"make_chimpanzee: {message}"):
        make_chimpanzee(2, **argument)
