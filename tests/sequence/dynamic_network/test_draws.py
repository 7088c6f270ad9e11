import numpy as np
from networks import joint, network

from margin.sequence.dynamic_network._draws import drawn_slices


def test_draws_have_the_joint_distribution():
    s, tables = network("reaches beyond", 1)
    codes, p = joint(s, tables, 2)
    drawn = drawn_slices(s, tables, 40_000, 2, np.random.default_rng(0))
    place = np.ravel_multi_index(drawn.reshape(len(drawn), -1).T, s.cards * 2)
    want = np.zeros(np.prod(s.cards * 2))
    want[np.ravel_multi_index(codes.reshape(len(codes), -1).T, s.cards * 2)] = p
    share = np.bincount(place, minlength=len(want)) / len(drawn)
    assert np.abs(share - want).max() < 5 * np.sqrt(want.max() / len(drawn))
