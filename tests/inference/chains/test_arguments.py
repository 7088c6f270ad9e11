"""Every engine of hidden chains refuses what would make NaN or nonsense of its answer."""

import numpy as np
import pytest

from margin.inference import (
    chain_correct,
    chain_filter,
    chain_k_best,
    chain_log_likelihood,
    chain_pairs,
    chain_predict,
    chain_sample,
    chain_smooth,
    chain_viterbi,
    chain_walk,
)

TABLE, START = np.zeros((3, 2)), np.array([0.5, 0.5])
A = np.array([[0.7, 0.3], [0.4, 0.6]])
ON_TABLES = [chain_filter, chain_log_likelihood, chain_smooth, chain_viterbi]
ON_STATES = [
    chain_correct,
    lambda states, offsets, matrix: chain_pairs(states, states, offsets, matrix),
    lambda states, offsets, matrix: chain_sample(
        states, offsets, matrix, 1, np.random.default_rng(0)
    ),
]


@pytest.mark.parametrize("engine", ON_TABLES)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_tables_of_likelihoods(engine, bad):
    table = TABLE.copy()
    table[1, 0] = bad
    name = engine.__name__
    with pytest.raises(ValueError, match=f"{name}: log_emission must be numbers below infinity"):
        engine(table, [0, 3], START, A)
    with pytest.raises(ValueError, match=rf"{name}: log_emission must be of shape \(T, K\)"):
        engine(np.zeros(3), [0, 3], START, A)
    with pytest.raises(ValueError, match=f"{name}: log_emission must be an array of numbers"):
        engine([["a", "b"]], [0, 1], START, A)


@pytest.mark.parametrize("engine", ON_TABLES)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"transition": [[1.2, -0.2], [0.4, 0.6]]},
            "transition must be finite numbers of at least",
        ),
        ({"transition": [[np.nan, 1.0], [0.4, 0.6]]}, "transition must be finite numbers"),
        (
            {"transition": [[0.7, 0.7], [0.4, 0.6]]},
            "transition must be probabilities that sum to 1",
        ),
        ({"transition": np.eye(3)}, r"transition must be of shape \(2, 2\)"),
        ({"start": [0.5, 0.4]}, "start must be probabilities that sum to 1, got 0.9"),
        ({"start": [1.0]}, r"start must be of shape \(2,\)"),
        ({"offsets": [0, 2]}, "offsets must be rising from 0 to 3"),
        ({"offsets": [0, 2, 1, 3]}, "offsets must be rising from 0 to 3"),
        ({"offsets": [0.0, 3.0]}, "offsets must be integers"),
    ],
)
def test_parameters_of_a_chain(engine, change, message):
    given = {"offsets": [0, 3], "start": START, "transition": A, **change}
    with pytest.raises(ValueError, match=f"{engine.__name__}: {message}"):
        engine(TABLE, *given.values())


def test_factors_need_not_sum_to_one():
    """sequence.16: messages on expected logarithms run on less than probabilities."""
    scaled = chain_smooth(TABLE, [0, 3], 0.5 * START, 0.5 * A, normalised=False)
    plain = chain_smooth(TABLE, [0, 3], START, A)
    np.testing.assert_allclose(scaled.posterior, plain.posterior)
    np.testing.assert_allclose(scaled.log_likelihood, plain.log_likelihood + 3 * np.log(0.5))
    filtered, _ = chain_filter(TABLE, [0, 3], 2.0 * START, A, normalised=False)
    np.testing.assert_allclose(filtered, chain_filter(TABLE, [0, 3], START, A)[0])
    with pytest.raises(ValueError, match="at least 0"):
        chain_smooth(TABLE, [0, 3], START, -A, normalised=False)


@pytest.mark.parametrize("weight", [[1.0, 1.0], [-1.0], [np.nan]])
def test_weights(weight):
    with pytest.raises(ValueError, match="chain_smooth: weight must be 1 finite numbers"):
        chain_smooth(TABLE, [0, 3], START, A, weight=weight)


@pytest.mark.parametrize("engine", ON_STATES)
def test_beliefs(engine):
    for bad in (-0.1, np.nan, np.inf):
        states = np.full((3, 2), 0.5)
        states[2, 1] = bad
        with pytest.raises(ValueError, match="filtered must be probabilities"):
            engine(states, [0, 3], A)
    with pytest.raises(ValueError, match="transition must be probabilities that sum to 1"):
        engine(np.full((3, 2), 0.5), [0, 3], 2 * A)


@pytest.mark.parametrize("steps", [-1, 0.5, True])
def test_steps_lie_ahead(steps):
    """A negative number of steps would invert the transitions."""
    with pytest.raises(ValueError, match="chain_predict: steps must be an integer of at least 0"):
        chain_predict(START, A, steps)
    np.testing.assert_array_equal(chain_predict(START, A, 0), START)


def test_walks_and_paths():
    with pytest.raises(ValueError, match="chain_walk: lengths must be integers of at least 0"):
        chain_walk(START, A, [3, -1], np.random.default_rng(0))
    with pytest.raises(ValueError, match="chain_k_best: log_emission must be numbers below"):
        chain_k_best(TABLE * np.nan, START, A, 2)
