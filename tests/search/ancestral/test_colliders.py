import numpy as np
import pytest

from margin.graphs import DAG, PAG, Marks
from margin.search import Knowledge, Oracle
from margin.search.ancestral._colliders import Colliders, direct_colliders, direct_known
from margin.search.ancestral._judge import Judge
from margin.search.structure._independence import IndependenceTest, TestResult


class Told(IndependenceTest):
    """Says what it was told."""

    def __init__(self, separating):
        self.names, self.separating = tuple(range(4)), separating

    def __call__(self, i, j, given=()):
        return TestResult(0.0, 0.0, float((i, j, tuple(given)) in self.separating))


def verdict(rule, separating, recorded=()):
    joined = [0b1100, 0b1100, 0b0011, 0b0011]  # 0 and 1 apart, both joined to 2 and 3
    judge = Judge(Told(separating), 0.05, 1000)
    return Colliders(judge, rule, {(0, 1): recorded}, joined, 4).verdict(0, 2, 1)


def test_the_recorded_set_or_the_vote_of_all():
    one, other, both = (0, 1, (2,)), (0, 1, (3,)), (0, 1, (2, 3))
    assert verdict("ordinary", [], recorded=(3,)) is True
    assert verdict("ordinary", [], recorded=(2,)) is False
    assert verdict("conservative", [one, both]) is False
    assert verdict("conservative", [other]) is True
    assert verdict("conservative", [one, other]) is None
    assert verdict("majority", [one, other]) is None
    assert verdict("majority", [one, other, both]) is False
    assert verdict("majority", [other, (0, 1, ()), both]) is True
    assert verdict("conservative", []) is None


def test_candidates_vote_where_no_neighbours_separate():
    judge = Judge(Told([(0, 1, (2, 3))]), 0.05, 1000)
    joined = [0b0100, 0b0100, 0b0011, 0]
    pools = np.array([[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]], dtype=np.uint8)
    recorded = {(0, 1): (2, 3)}
    assert Colliders(judge, "conservative", recorded, joined, 4, pools).verdict(0, 2, 1) is False
    assert Colliders(judge, "conservative", recorded, joined, 4).verdict(0, 2, 1) is None


def test_knowledge_comes_first():
    marks = Marks.open([0b010, 0b101, 0b010])
    known = Knowledge.of("FCI", [0, 1, 2], required=[(1, 0)], forbidden=[(1, 2)])
    direct_known(marks, known)
    assert marks.graph(range(3)) == PAG(3, [(1, "-->", 0), (1, "<-o", 2)])
    oracle = Oracle(DAG(3, [(0, 1), (2, 1)]))
    colliders = Colliders(Judge(oracle, 0.05, 9), "ordinary", {(0, 2): ()}, marks.joined(), 2)
    unclear, conflicts = direct_colliders(marks, colliders, list(marks.unshielded()))
    assert (unclear, conflicts) == ([], [(0, 1, 2)])


@pytest.mark.parametrize("rule", ["ordinary", "conservative", "majority"])
def test_pairs_that_are_joined_have_no_verdict(rule):
    oracle = Oracle(DAG(3, [(0, 1)]))
    assert Colliders(Judge(oracle, 0.05, 9), rule, {}, [2, 1, 0], 2).verdict(0, 2, 1) is None
