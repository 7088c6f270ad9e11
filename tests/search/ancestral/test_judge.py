from margin.graphs import DAG
from margin.search import Oracle
from margin.search.ancestral._judge import Judge

FORK = Oracle(DAG(4, [(0, 1), (0, 2), (3, 1)]))


def test_tests_are_counted_and_made_once():
    judge = Judge(FORK, 0.05, 10)
    assert judge.separation(1, 2, [0]) == 1.0
    assert judge.separation(2, 1, [0]) == 1.0
    assert judge.separation(1, 2, []) is None
    assert (judge.left, dict(judge.sizes)) == (8, {1: 1, 0: 1})


def test_smallest_and_all_sets():
    judge = Judge(FORK, 0.05, 100)
    assert judge.smallest(1, 2, [3, 0]) == ((0,), 1.0)
    assert judge.smallest(0, 1, [2, 3]) is None
    sets = set(judge.all_sets(1, 2, [[0, 3], [0]], range(3)))
    assert sets == {frozenset([0]), frozenset([0, 3])}


def test_nothing_is_known_when_the_tests_are_used_up():
    judge = Judge(FORK, 0.05, 1)
    assert judge.separation(1, 2, [0]) == 1.0
    assert not judge.cut
    assert judge.separation(2, 3, []) is None
    assert judge.cut
