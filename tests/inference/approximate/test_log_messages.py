"""Messages on a tree are exact whatever the order."""

from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import enumerate_model
from margin.inference.approximate._log_messages import LogMessages


@pytest.mark.parametrize("schedule", ["flood", "settle"])
@pytest.mark.parametrize("seed", range(3))
def test_beliefs_and_mass_on_a_tree(random_model, schedule, seed):
    """inference.15: exact on trees, from random messages as well."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 6, tree=True)
    state = LogMessages(model, False, rng)
    rounds = state.flood(0.0) if schedule == "flood" else state.settle(0.0, 1e-12)
    assert any(change <= 1e-12 for change in islice(rounds, 100))
    table = enumerate_model(model).table
    for v in range(model.n_variables):
        rest = tuple(u for u in range(model.n_variables) if u != v)
        assert_allclose(state.belief(v), table.sum(axis=rest), atol=1e-10)
    assert_allclose(state.bethe(), np.log(enumerate_model(model).evidence_mass), atol=1e-9)


def test_max_product_finds_the_best_assignment(random_model):
    model = random_model(np.random.default_rng(4), 5, tree=True)
    state = LogMessages(model, True, None)
    assert any(change <= 1e-12 for change in islice(state.settle(0.0, 1e-12), 100))
    table = enumerate_model(model).table
    best = np.unravel_index(table.argmax(), table.shape)
    assert tuple(int(state.belief(v).argmax()) for v in range(5)) == tuple(map(int, best))


def test_damping_mixes_old_and_new(random_model):
    model = random_model(np.random.default_rng(1), 4, tree=True)
    plain, damped = LogMessages(model, False, None), LogMessages(model, False, None)
    before = plain.value
    start = {link: message.copy() for link, message in before.items()}
    next(plain.flood(0.0))
    next(damped.flood(0.5))
    for link, message in start.items():
        assert_allclose(before[link], message)  # what was handed out stays as it was
    for link, message in plain.value.items():
        half = 0.5 * message
        assert_allclose(damped.value[link], half - half.max(), atol=1e-12)
