"""Machines of some weights."""

import numpy as np
from numpy.testing import assert_allclose
from stack_problems import Stack

from margin.optim import SMO, Duel, GramMatrix, Trainer
from margin.optim.kernel_weights import _trainer


def test_machines_are_those_of_the_combined_matrix():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(2, 20, 3))
    stack = Stack(A @ A.transpose(0, 2, 1))
    sign = np.where(A[0, :, 0] > 0, 1.0, -1.0)
    duel = Duel(np.arange(20), sign, np.full(20, 2.0))
    weights = np.array([0.3, 0.7])
    point = Trainer(stack, [duel], 1e-8, 1).at(weights)
    alone = SMO(tol=1e-9).run(duel.problem(GramMatrix(stack.combined(weights)), None))
    assert_allclose(point.primal, alone.extras["optimality"].primal, rtol=1e-7)
    assert_allclose(point.fixed_dual, -alone.objective, rtol=1e-7)
    coef = point.machines[0].coef
    assert_allclose(point.norms, [coef @ K @ coef for K in stack.matrices])
    inside = (np.abs(coef) > 0) & (np.abs(coef) < 2.0)
    assert point.free[0].tolist() == np.flatnonzero(inside).tolist()


def test_sharper_until_there_are_no_more_digits():
    trainer = Trainer(Stack(np.ones((1, 2, 2))), [], 1e-4, 1)
    more = [trainer.sharpen() for _ in range(6)]
    assert more[0]
    assert not more[-1]


def test_prices_near_the_largest_float_come_to_an_end(monkeypatch):
    monkeypatch.setattr(_trainer, "_MOST_PAIRS", 1000)
    A = np.random.default_rng(0).normal(size=(1, 600, 3))
    sign = np.where(np.arange(600) % 2, 1.0, -1.0)
    duel = Duel(np.arange(600), sign, np.full(600, 1e300))
    point = Trainer(Stack(A @ A.transpose(0, 2, 1)), [duel], 1e-8, 1).at(np.ones(1))
    assert point.machines[0].solution.n_iter <= 70_000
