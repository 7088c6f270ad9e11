"""Orders of visits: every row in proportion to its weight."""

from itertools import islice

import numpy as np
import pytest

from margin.core import stored_rows
from margin.svm.online._row_visits import loss_shares, rows_to_visit, stream_order, visit_orders


def test_every_row_once_without_weights():
    rows = stored_rows(np.zeros(7), None)
    first, second = islice(visit_orders(rows, 3), 2)
    assert sorted(first.tolist()) == sorted(second.tolist()) == list(range(7))
    assert first.tolist() != second.tolist()
    again = next(visit_orders(rows, 3))
    assert first.tolist() == again.tolist()


def test_equal_weights_are_no_weights():
    plain = next(visit_orders(stored_rows(np.zeros(5), None), 1))
    equal = next(visit_orders(stored_rows(np.zeros(5), np.full(5, 0.3)), 1))
    assert plain.tolist() == equal.tolist()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_visits_follow_the_weights(seed):
    """After any number of epochs the visits of a row differ from its share by less than one.

    Weights of a mean between 1 and 16 are numbers of visits, others are scaled to that.
    """
    weight = np.array([1.0, 0.25, 0.0, 3.0, 0.01])
    counts = np.zeros(5)
    for epoch, order in enumerate(islice(visit_orders(stored_rows(weight, weight), seed), 40), 1):
        counts += np.bincount(order, minlength=5)
        assert np.abs(counts - epoch * weight).max() < 1 + 1e-9


@pytest.mark.parametrize(("factor", "visits"), [(0.01, 4), (1.0, 4), (3.0, 12), (100.0, 64)])
def test_epochs_are_bounded(factor, visits):
    weight = factor * np.array([0.5, 1.0, 1.0, 1.5])
    total = sum(len(o) for o in islice(visit_orders(stored_rows(weight, weight), 0), 10))
    assert abs(total - 10 * visits) <= 4


def test_shares_of_copies_go_to_one_of_them():
    X, codes = np.array([[1.0], [2.0], [1.0]]), np.array([0, 1, 0])
    rows = rows_to_visit(X, codes, None, table=True)
    shares = loss_shares(rows, 3)
    assert np.isclose(shares.sum(), 1)
    assert np.allclose(np.sort(shares), [0, 1 / 3, 2 / 3])
    assert np.allclose(loss_shares(rows_to_visit(X, codes, None, table=False), 3), 1 / 3)


def test_stream_order_keeps_sums():
    rng = np.random.default_rng(0)
    weight = rng.uniform(0, 2, size=50)
    order = stream_order(50, weight)
    assert (np.diff(order) >= 0).all()
    assert abs(len(order) - weight.sum()) <= 0.5
    assert stream_order(3, None).tolist() == [0, 1, 2]
