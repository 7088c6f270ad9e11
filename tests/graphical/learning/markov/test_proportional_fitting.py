"""graphical.24 and graphical.25: proportional fitting and decomposable graphs."""

import numpy as np
import pytest

from margin.core import Status
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._proportional_fitting import (
    clique_marginals,
    fit_decomposable,
    fit_proportionally,
)

RNG = np.random.default_rng(0)
ROWS = RNG.integers(0, 3, (80, 4)) % np.array([2, 3, 2, 3])
CARDS = (2, 3, 2, 3)
CYCLE = LogLinear(CARDS, ((0, 1), (1, 2), (2, 3), (3, 0)), (None,) * 4)
CHAIN = LogLinear(CARDS, ((0, 1), (1, 2), (2, 3)), (None,) * 3)


def test_marginals_match_and_the_likelihood_never_falls():
    """graphical.24: an iteration, monotone."""
    targets = clique_marginals(CYCLE, ROWS, np.ones(80))
    found = fit_proportionally(CYCLE, targets)
    assert found.status is Status.CONVERGED
    assert np.diff(found.trace["objective"]).max() <= 1e-12
    nothing = np.full((1, 4), -1)
    _, marginals = CYCLE.tree.expected_counts(found.extras["tables"], nothing)
    for m, t in zip(marginals, targets, strict=True):
        np.testing.assert_allclose(m, t, atol=1e-8)


def test_one_update_makes_its_marginal_right_and_keeps_the_partition_function():
    targets = clique_marginals(CYCLE, ROWS, np.ones(80))
    start = [RNG.random(s) + 0.1 for s in CYCLE.shapes]
    total = np.exp(CYCLE.tree.expected_counts(start, np.full((1, 4), -1))[0][0])
    start[0] = start[0] / total
    log_z, marginals = CYCLE.tree.expected_counts(start, np.full((1, 4), -1))
    assert log_z[0] == pytest.approx(0.0, abs=1e-12)
    start[0] = start[0] * targets[0] / marginals[0]
    log_z, marginals = CYCLE.tree.expected_counts(start, np.full((1, 4), -1))
    assert log_z[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(marginals[0], targets[0])


def test_two_way_table_is_raking():
    rows, columns = np.array([0.3, 0.7]), np.array([0.2, 0.5, 0.3])
    seed = RNG.random((2, 3)) + 0.1
    family = LogLinear((2, 3), ((0, 1), (0,), (1,)), (None,) * 3)
    raked = seed / seed.sum()
    for _ in range(500):
        raked = raked * (rows / raked.sum(1))[:, None]
        raked = raked * (columns / raked.sum(0))
    small = LogLinear((2, 3), ((0,), (1,)), (None,) * 2)
    joint = [seed, np.ones(2), np.ones(3)]
    for _ in range(500):
        for c, target in ((1, rows), (2, columns)):
            _, m = family.tree.expected_counts(joint, np.full((1, 2), -1))
            joint[c] = joint[c] * target / m[c]
    found = joint[0] * joint[1][:, None] * joint[2]
    np.testing.assert_allclose(found / found.sum(), raked, atol=1e-10)
    assert fit_proportionally(small, [rows, columns]).n_iter == 1


def test_decomposable_graphs_have_a_closed_form():
    """graphical.25: cliques over separators."""
    targets = clique_marginals(CHAIN, ROWS, np.ones(80))
    closed = fit_decomposable(CHAIN, targets)
    fitted = fit_proportionally(CHAIN, targets)
    assert closed.objective == pytest.approx(fitted.objective)
    assert fitted.n_iter == 1
    log_z, marginals = CHAIN.tree.expected_counts(closed.extras["tables"], np.full((1, 4), -1))
    assert log_z[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(marginals[1], targets[1])
    assert fit_decomposable(CYCLE, clique_marginals(CYCLE, ROWS, np.ones(80))) is None


def test_disconnected_and_unseen_cells():
    family = LogLinear((2, 2, 2), ((0, 1), (2,)), (None,) * 2)
    rows = np.array([[0, 0, 1], [1, 1, 1]])
    found = fit_decomposable(family, clique_marginals(family, rows, np.ones(2)))
    assert found.objective == pytest.approx(np.log(2))
    again = fit_proportionally(family, clique_marginals(family, rows, np.ones(2)))
    assert again.objective == pytest.approx(np.log(2))


def test_cut_short():
    targets = clique_marginals(CYCLE, ROWS, np.ones(80))
    found = fit_proportionally(CYCLE, targets, max_iter=1, tol=1e-14)
    assert found.status is Status.MAX_ITER
    assert "max_iter=1" in found.message
