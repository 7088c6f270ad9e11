import numpy as np
from scipy import sparse

from margin.core import distinct_rows, stored_rows

X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [1.0, 2.0], [5.0, 6.0]])
y = np.array([0, 1, 0, 1, 1])


def contents(table, X, y):
    """The rows of a table with their targets and weights, in the order of the visits."""
    weight = np.ones(len(y)) if table.weight is None else table.weight
    return [(*X[i].tolist(), int(y[i]), float(weight[i])) for i in table.visits]


def test_equal_rows_of_one_target_are_one():
    found = distinct_rows(X, y, None, 1)
    assert sorted(contents(found, X, y)) == [
        (1.0, 2.0, 0, 2.0),
        (1.0, 2.0, 1, 1.0),
        (3.0, 4.0, 1, 1.0),
        (5.0, 6.0, 1, 1.0),
    ]
    assert found.total == 5.0
    np.testing.assert_allclose(found.squares, (X**2).sum(axis=1))


def test_order_depends_on_the_contents_alone():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, size=(60, 2)).astype(float)
    target = rng.integers(0, 2, size=60)
    wanted = contents(distinct_rows(rows, target, None, 1), rows, target)
    assert len(wanted) < 60
    for _ in range(5):
        order = rng.permutation(60)
        again = distinct_rows(rows[order], target[order], None, 1)
        assert contents(again, rows[order], target[order]) == wanted


def test_weights_are_copies():
    weight = np.array([2.0, 0.0, 1.0, 3.0, 1.0])
    copies = np.repeat(np.arange(5), weight.astype(int))
    weighted = distinct_rows(X, y, weight, 1)
    repeated = distinct_rows(X[copies], y[copies], None, 1)
    assert contents(weighted, X, y) == contents(repeated, X[copies], y[copies])
    assert weighted.total == repeated.total == 7.0


def test_sparse_rows_are_grouped_as_dense_ones():
    dense = distinct_rows(X, y, None, 1)
    same = distinct_rows(sparse.csr_array(X), y, None, 1)
    assert sorted(contents(same, X, y)) == sorted(contents(dense, X, y))


def test_stored_rows_leave_out_zero_weights_only():
    assert stored_rows(y, None).visits.tolist() == [0, 1, 2, 3, 4]
    found = stored_rows(y, np.array([1.0, 0.0, 2.0, 0.0, 1.0]))
    assert found.visits.tolist() == [0, 2, 4]
    assert found.total == 4.0
