import numpy as np
import pytest

from margin.inference import ChainFilter, chain_filter


def test_step_by_step_is_the_filter():
    """sequence.07: predict and correct, one observation at a time."""
    rng = np.random.default_rng(0)
    start, matrix = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3)
    table = rng.normal(size=(8, 3))
    filtered, value = chain_filter(table, [0, 8], start, matrix)
    belief = ChainFilter(start, matrix).correct(table[0])
    for t in range(1, 8):
        belief = belief.predict().correct(table[t])
        np.testing.assert_allclose(belief.state, filtered[t], atol=1e-13)
    assert belief.log_likelihood == pytest.approx(value[0])


def test_faint_and_impossible_observations():
    belief = ChainFilter(np.array([0.0, 1.0]), np.eye(2))
    after = belief.correct([0.0, -5000.0])
    assert after.state.tolist() == [0.0, 1.0]
    assert after.log_likelihood == -5000.0
    with pytest.raises(ValueError, match="possible in a state"):
        belief.correct([0.0, -np.inf])
    np.testing.assert_allclose(belief.predict(3).state, belief.state)


def test_numbers_that_are_none():
    belief = ChainFilter(np.array([0.5, 0.5]), np.eye(2))
    for seen in ([np.nan, 0.0], [np.inf, 0.0], [0.0]):
        with pytest.raises(ValueError, match="ChainFilter: log_emission must be 2 numbers below"):
            belief.correct(seen)
    for steps in (-1, 1.5):
        with pytest.raises(ValueError, match="ChainFilter: steps must be an integer of at least 0"):
            belief.predict(steps)
