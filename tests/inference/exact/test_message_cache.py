"""Which messages are kept and which are computed again (inference.21)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.inference import FactorModel, enumerate_model
from margin.inference._log_table import distribution
from margin.inference.exact._message_cache import MessageCache
from margin.inference.exact._message_tree import message_tree

PAIR = np.array([[0.9, 0.1], [0.2, 0.8]])
CLIQUES = [(0, 1), (1, 2), (2, 3), (3, 4)]


def make_cache():
    """Five variables in a row, four cliques, six messages."""
    model = FactorModel((2,) * 5, tuple(CLIQUES), (PAIR,) * 4)
    return model, MessageCache(model, message_tree(5, CLIQUES, [-1, 0, 1, 2]), np.inf)


def calibrate(cache):
    before = cache.sent
    for node in range(4):
        cache.belief(node, ())
    return cache.sent - before


def test_a_message_is_sent_once():
    _, cache = make_cache()
    cache.belief(0, ())
    assert (cache.sent, len(cache)) == (3, 3)
    assert calibrate(cache) == 3
    assert calibrate(cache) == 0


def test_an_observation_spares_the_messages_towards_it_and_within_its_cliques():
    _, cache = make_cache()
    calibrate(cache)
    cache.fix(2, 1)  # in cliques 1 and 2: only what leaves them for 0 and 3 is gone
    assert len(cache) == 4
    assert calibrate(cache) == 2


def test_a_retraction_spares_what_was_computed_before_the_observation():
    _, cache = make_cache()
    calibrate(cache)
    cache.fix(2, 1)
    calibrate(cache)
    cache.fix(2, None)
    assert len(cache) == 4  # the messages between cliques 1 and 2 were never sliced
    _, fresh = make_cache()
    fresh.fix(2, 1)
    calibrate(fresh)
    fresh.fix(2, 0)
    assert len(fresh) == 2  # here they were


def test_joint_messages_are_counted_but_not_kept():
    model, cache = make_cache()
    calibrate(cache)
    before = cache.sent
    table, log_mass = distribution(cache.belief(0, (0, 4)))
    assert cache.sent - before == 3
    assert len(cache) == 6
    oracle = enumerate_model(model, (0, 1, 4))
    assert_allclose(table, oracle.table, atol=1e-14)
    assert_allclose(log_mass, np.log(oracle.evidence_mass), atol=1e-13)
