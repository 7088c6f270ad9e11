import numpy as np

from margin.search import Knowledge, Skeleton
from margin.search.ancestral._ancestral_search import Evidence, for_skeleton


def skeleton(pair, given, tests):
    return Skeleton(
        np.zeros((3, 3), dtype=np.uint8), {pair: given}, {pair: 0.5}, np.full((3, 3), 0.1), tests
    )


def test_evidence_adds_up():
    evidence = Evidence.of(skeleton((0, 1), (2,), (3, 2)))
    evidence.add(skeleton((0, 2), (), (1, 1, 4)))
    evidence.separate(2, 1, (0,), 0.25)
    assert evidence.separators == {(0, 1): (2,), (0, 2): (), (1, 2): (0,)}
    assert evidence.p_values[1, 2] == 0.25
    assert evidence.n_tests == 11


def test_a_pair_barred_both_ways_may_have_a_hidden_cause():
    known = Knowledge.of("FCI", ["a", "b"], forbidden=[("a", "b"), ("b", "a")])
    assert not known.possible.any()
    assert for_skeleton(known).possible.tolist() == [[0, 1], [1, 0]]
