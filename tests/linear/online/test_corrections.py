import numpy as np
import pytest
from scipy import sparse

from margin import optim
from margin.core import stored_rows
from margin.linear.online._corrections import (
    Corrections,
    Examples,
    Rule,
    batch_epoch,
    epoch,
    stochastic_epoch,
)

X = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [2.0, 1.0]])
CODE = np.array([1, 0, 0, 1])


def examples(X=X, code=CODE, weight=None):
    return Examples(X, np.asarray(code, dtype=np.int64), stored_rows(code, weight), True)


def test_batch_step_by_hand():
    """linear.28: the first step adds eta times the signed sum of all rows, all wrong at zero."""
    start, rule = Corrections.none(4, 1, 3, average=False), Rule(optim.Constant(0.5), batch=True)
    one = batch_epoch(examples(), start, rule)
    assert one.n_corrections == 4
    np.testing.assert_allclose(one.w, [[0.5 * (1 + 0 + 1 + 2), 0.5 * (0 - 2 - 1 + 1), 0.0]])
    assert not start.w.any(), "states are values"
    two = epoch(examples(), one, rule)
    assert two.n_corrections == 4
    assert (two.n_epochs, two.n_visits) == (2, 2)


def test_stochastic_steps_by_hand():
    """linear.29: each row that is not on its own side is added with its sign, the k-th by 1/k."""
    schedule = optim.InverseTime(1.0)
    start = Corrections.none(4, 1, 3, average=True)
    state = stochastic_epoch(examples(), start, Rule(schedule))
    w, k, seen = np.zeros(3), 0, []
    for x, code in zip(np.column_stack([X, np.ones(4)]), CODE, strict=True):
        sign = 1 if code else -1
        if sign * (w @ x) <= 0:
            w = w + sign * x * float(schedule.rate(k))
            k += 1
        seen.append(w)
    assert state.n_corrections == k == state.mistakes.sum()
    assert not start.w.any()
    assert not start.mistakes.any()
    np.testing.assert_allclose(state.w[0], w)
    np.testing.assert_allclose(state.weights[0], np.mean(seen, axis=0))
    np.testing.assert_allclose(state.dual_weights.T @ X, state.weights[:, :-1])


def test_ties_between_rivals_are_shared():
    """linear.31: at zero both rivals take off half of the row each, in both rules."""
    code = np.array([0, 1, 2, 0])
    one = np.array([[1.0, 3.0]])
    for batch in (True, False):
        start = Corrections.none(1, 3, 3, average=False)
        state = epoch(examples(one, code[:1]), start, Rule(optim.Constant(1.0), batch))
        np.testing.assert_allclose(state.w, np.outer([1, -0.5, -0.5], [1, 3, 1]))
    dense = thin = Corrections.none(4, 3, 3, average=False)
    rule = Rule(optim.Constant(1.0), shuffle=True, seed=5)
    for _ in range(3):
        dense = stochastic_epoch(examples(X, code), dense, rule)
        thin = stochastic_epoch(examples(sparse.csr_array(X), code), thin, rule)
    np.testing.assert_allclose(dense.w, thin.w)


def test_errors_are_those_of_the_predictions():
    """linear.28: at zero weights every row needs a correction, yet half the answers are right."""
    zero = np.zeros((1, 3))
    assert examples().unsettled(zero).all()
    assert examples().error_share(zero) == 0.5
    three = examples(X, [0, 1, 2, 0])
    assert three.unsettled(np.zeros((3, 3))).all()
    assert three.error_share(np.zeros((3, 3))) == 0.5


def test_error_share_is_weighted():
    part = examples(weight=np.array([1.0, 2.0, 3.0, 4.0]))
    assert part.error_share(np.array([[1.0, 0.0, 0.0]])) == 0.0
    assert part.unsettled(np.array([[1.0, 0.0, 0.0]])).tolist() == [False, True, False, False]
    assert part.error_share(np.array([[-1.0, 0.0, 0.0]])) == pytest.approx(0.8)


def test_a_search_is_resumed_where_it_ended():
    last = Corrections.none(4, 1, 3, average=True)
    last = stochastic_epoch(examples(), last, Rule(optim.Constant(1.0)))
    again = Corrections.none(2, 1, 3, average=True).resumed(last)
    np.testing.assert_array_equal(again.w, last.w)
    np.testing.assert_array_equal(again.total, last.total)
    assert again.n_visits == 4
    assert again.dual.shape == (2, 1)
