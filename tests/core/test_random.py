import numpy as np
import pytest

from margin.core import random


def draws(random_state):
    return random.generator(random_state).random(4).tolist()


@pytest.mark.parametrize("seed", [0, 7, np.int32(7), 2**40])
def test_a_seed_gives_the_same_stream_as_numpy(seed):
    assert draws(seed) == np.random.default_rng(seed).random(4).tolist()


def test_a_generator_is_passed_on():
    rng = np.random.default_rng(1)
    assert random.generator(rng) is rng


def test_a_random_state_seeds_reproducibly_and_moves_on():
    state = np.random.RandomState(3)
    first, second = draws(state), draws(state)
    assert first == draws(np.random.RandomState(3))
    assert first != second


def test_the_global_state_is_accepted_and_follows_its_seed():
    before = np.random.get_state()  # noqa: NPY002
    try:
        np.random.seed(5)  # noqa: NPY002
        first = draws(np.random)
        np.random.seed(5)  # noqa: NPY002
        assert draws(np.random) == first
    finally:
        np.random.set_state(before)  # noqa: NPY002


def test_none_differs_from_call_to_call():
    assert draws(None) != draws(None)


@pytest.mark.parametrize("bad", ["seed", 1.5, True, [1, 2], object])
def test_anything_else_is_refused(bad):
    with pytest.raises(ValueError, match="random_state must be None, an integer") as caught:
        random.generator(bad)
    assert str(caught.value).endswith(f"got {bad!r}")
