"""What stochastic solvers share."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import SGD, DivideOnStall, LinearProblem, Progress, minimise


def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(float)
    return LinearProblem(X, y, np.full(80, 1 / 80), losses.Logistic(), penalties.L2(0.1))


def test_an_epoch_writes_to_nothing():
    whole = problem()
    rows = optim.RowSum.of(whole, "SGD")
    for solver in (
        SGD(average=optim.PolyakAverage()),
        optim.MomentumSGD(),
        optim.Adam(),
        optim.SAGA(),
        optim.SAG(),
    ):
        before = solver.epoch(rows, solver.begin(rows, np.zeros(4)))
        kept = [before.w.copy(), *(a.copy() for a in before.arrays)]
        one, two = solver.epoch(rows, before), solver.epoch(rows, before)
        assert_array_equal(before.w, kept[0])
        for array, copy in zip(before.arrays, kept[1:], strict=True):
            assert_array_equal(array, copy)
        assert_array_equal(one.w, two.w)
        assert one.taken > before.taken
        assert one.epochs == 2


def test_a_stall_lowers_the_rate():
    """optim.13: after `patience` epochs without a lower objective, and only then."""
    solver = SGD(schedule=DivideOnStall(0.1))
    state = solver.after(Progress(np.zeros(1)), 5.0)
    for _ in range(solver.patience - 1):
        state = solver.after(state, 5.0)
        assert state.damping == 1.0
    assert solver.after(state, 4.0).idle == 0
    state = solver.after(state, 5.0)
    assert state.damping == pytest.approx(0.1)
    assert state.idle == 0
    plain = replace(state, idle=solver.patience - 1)
    assert SGD().after(plain, 5.0).damping == state.damping


def test_dividing_on_stalls_gets_closer_than_a_constant_rate():
    whole = problem()
    constant = minimise(whole, SGD(schedule=optim.Constant(0.5), max_iter=150, tol=1e-9))
    divided = minimise(whole, SGD(schedule=DivideOnStall(0.5), max_iter=150, tol=1e-9))
    best = minimise(whole, optim.Newton()).objective
    assert divided.objective - best < 1e-3 * (constant.objective - best)


def test_seeds_must_be_integers():
    for bad in (-1, 1.5, True, None):
        with pytest.raises(ValueError, match="SGD: seed must be an integer of at least 0"):
            SGD(seed=bad)


def test_interruption_keeps_the_best_point():
    def interrupt(epoch, objective):
        if epoch == 3:
            raise KeyboardInterrupt

    solution = minimise(problem(), SGD(tol=1e-12), callback=interrupt)
    assert solution.status is Status.MAX_ITER
    assert solution.objective == solution.trace["objective"].min()
