"""Compiled pairwise messages against a NumPy twin of one round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.grid.grid_messages import pair_messages


def one_round(unary, edges, kinds, tables, messages, maximise, damping):
    """All messages from the old ones."""
    fresh = np.empty_like(messages)
    for e, (a, b) in enumerate(edges):
        for row, source, table in (
            (2 * e, a, tables[kinds[e]]),
            (2 * e + 1, b, tables[kinds[e]].T),
        ):
            cavity = unary[source].copy()
            for f, (c, d) in enumerate(edges):
                if f != e and source in (c, d):
                    cavity *= messages[2 * f] if d == source else messages[2 * f + 1]
            product = cavity[:, None] * table
            new = product.max(0) if maximise else product.sum(0)
            new = new / (new.max() if maximise else new.sum())
            fresh[row] = (1 - damping) * new + damping * messages[row]
    return fresh


@pytest.mark.parametrize("states", [2, 3, 8])
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("potts", [False, True])
def test_one_round_of_flooding(states, maximise, potts):
    rng = np.random.default_rng(states)
    edges = np.array([[0, 1], [2, 1], [1, 3], [3, 0]], dtype=np.int32)
    kinds = np.array([0, 1, 0, 1], dtype=np.int32)
    unary, tables = rng.random((5, states)), rng.random((2, states, states))
    if potts:
        tables = np.stack([np.ones((states, states)) + s * np.eye(states) for s in (2.0, -0.5)])
    messages = rng.random((8, states))
    wanted = one_round(unary, edges, kinds, tables, messages, maximise, 0.25)
    trace, beliefs, _ = pair_messages(
        unary, edges, kinds, tables, messages, maximise=maximise, schedule="flooding",
        damping=0.25, tol=0.0, max_iter=1, n_threads=1,
    )  # fmt: skip
    assert_allclose(messages, wanted, atol=1e-14)
    assert len(trace) == 1
    assert_allclose(beliefs.sum(1), 1.0)
    assert_allclose(beliefs[4], unary[4] / unary[4].sum())


def test_no_edges_no_nodes():
    empty = np.empty((0, 2), dtype=np.int32)
    kinds = np.empty(0, dtype=np.int32)
    options = {"maximise": False, "damping": 0.0, "tol": 1e-9, "max_iter": 5, "n_threads": 1}
    for schedule in ("flooding", "residual", "sweep"):
        _, beliefs, total = pair_messages(
            np.ones((3, 2)), empty, kinds, np.ones((1, 2, 2)), np.empty((0, 2)),
            schedule=schedule, **options,
        )  # fmt: skip
        assert_allclose(beliefs, 0.5)
        assert_allclose(total, 3 * np.log(2))
    _, beliefs, total = pair_messages(
        np.ones((0, 2)), empty, kinds, np.ones((1, 2, 2)), np.empty((0, 2)), schedule="flooding",
        **options,
    )  # fmt: skip
    assert beliefs.shape == (0, 2)
    assert total == 0.0


def test_shapes_and_edges_are_checked_at_the_border():
    good = [np.ones((2, 2)), np.array([[0, 1]], dtype=np.int32), np.zeros(1, dtype=np.int32),
            np.ones((1, 2, 2)), np.ones((2, 2)), np.zeros(3), np.empty((2, 2))]  # fmt: skip
    tail = (False, 0, 0.0, 1e-9, 1)
    _native.pair_messages(*good, *tail)
    for position, bad in [
        (1, np.array([[0, 2]], dtype=np.int32)),
        (1, np.array([[1, 1]], dtype=np.int32)),
        (2, np.ones(1, dtype=np.int32)),
        (2, np.zeros(2, dtype=np.int32)),
        (3, np.ones((1, 3, 3))),
        (4, np.ones((3, 2))),
        (6, np.empty((1, 2))),
    ]:
        arguments = list(good)
        arguments[position] = bad
        with pytest.raises(ValueError, match="pair_messages"):
            _native.pair_messages(*arguments, *tail)
    with pytest.raises(ValueError, match="schedule"):
        _native.pair_messages(*good, False, 9, 0.0, 1e-9, 1)
