import numpy as np
from networks import network

from margin.sequence.dynamic_network._learning import TableLearning, given_tables
from margin.sequence.dynamic_network._tables import Seen


def test_structural_zeros_and_fixed_tables_stay():
    s, tables = network("hidden chain")
    later = (np.array([[1.0, 0.0], [0.5, 0.5]]), tables.later[1])
    at = type(tables)(tables.first, later)
    rng = np.random.default_rng(0)
    codes = np.column_stack([np.full(30, -1), rng.integers(0, 3, 30)])
    problem = TableLearning(Seen.of(s, codes, np.array([0, 30]), 1), None, 2.0, (1,))
    after = problem.maximise(problem.expect(at).statistics, at)
    assert after.later[0][0, 1] == 0.0
    assert after.later[1] is later[1]
    np.testing.assert_allclose(after.later[0].sum(axis=1), 1.0)


def test_given_tables_take_the_place_of_drawn_ones():
    s, tables = network("hidden chain")
    given = given_tables("Network", s, ("h", "v"), {"v": tables.later[1]}, None)
    problem = TableLearning(
        Seen.of(s, np.zeros((2, 2), dtype=int), np.array([0, 2]), 1), None, 1.0, ()
    )
    start = next(problem.starts(1, given, np.random.default_rng(0)))
    np.testing.assert_allclose(start.later[1], tables.later[1], rtol=1e-14)
    assert start.first[1] is start.later[1]
    np.testing.assert_allclose(start.first[0].sum(), 1.0)
