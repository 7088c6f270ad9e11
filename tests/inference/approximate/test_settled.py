"""Rounds of messages under the driver."""

import numpy as np
import pytest

from margin.core import Status
from margin.inference import FactorModel, loopy_bp, mean_field, tree_reweighted
from margin.inference.approximate import _log_messages, _tree_reweighted
from margin.inference.approximate._settled import settled

PAIR = np.array([[2.0, 1.0], [1.0, 2.0]])
RING = FactorModel((2,) * 3, ((0,), (0, 1), (1, 2), (2, 0)), ([3.0, 1.0], PAIR, PAIR, PAIR))
EDGES = [[0, 1], [1, 2], [2, 0]]
UNARY = np.array([[3.0, 1.0], [1.0, 1.0], [1.0, 1.0]])


def test_stop_limit_and_trace():
    halving = [(0.5**n, n) for n in range(1, 40)]
    solution = settled(iter(halving), 0, 1e-3, 50)
    assert (solution.x, solution.status) == (10, Status.CONVERGED)
    np.testing.assert_allclose(solution.trace["change"][1:], [c for c, _ in halving[:10]])
    cut = settled(iter(halving), 0, 1e-3, 4)
    assert (cut.x, cut.status, cut.n_iter) == (4, Status.MAX_ITER, 4)
    assert "raise damping" in cut.message


@pytest.mark.parametrize("schedule", ["flooding", "residual"])
def test_interruption_keeps_the_last_whole_round(schedule, monkeypatch):
    """Ctrl-C in the middle of the third round of messages leaves two rounds."""
    two = loopy_bp(RING, schedule=schedule, tol=1e-15, max_iter=2)
    real, calls = _log_messages._mixed, []

    def impatient(*args):
        calls.append(1)
        if len(calls) == 2 * 7 + 3:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(_log_messages, "_mixed", impatient)
    stopped = loopy_bp(RING, schedule=schedule, tol=1e-15)
    assert stopped.status is Status.MAX_ITER
    assert stopped.n_iter == 2
    for one, other in zip(stopped.marginals, two.marginals, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_interruption_of_bounds(monkeypatch):
    two = tree_reweighted(UNARY, EDGES, PAIR, tol=1e-15, max_iter=2)
    real, calls = _tree_reweighted._Reweighted.update, []

    def impatient(self, log_messages):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(self, log_messages)

    monkeypatch.setattr(_tree_reweighted._Reweighted, "update", impatient)
    stopped = tree_reweighted(UNARY, EDGES, PAIR, tol=1e-15)
    assert stopped.n_iter == 2
    assert stopped.log_evidence == two.log_evidence


def test_seeds_for_random_starts():
    for approximate in (loopy_bp, mean_field):
        one = approximate(RING, rng=3)
        two = approximate(RING, rng=np.random.default_rng(3))
        np.testing.assert_array_equal(one.trace, two.trace)
        with pytest.raises(ValueError, match=f"{approximate.__name__}: rng must be None, an int"):
            approximate(RING, rng="a")
