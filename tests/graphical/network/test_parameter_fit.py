"""Parameters by counting and by EM (graphical.17, graphical.18, graphical.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.graphical.network._build import build
from margin.graphical.network._parameter_fit import Prior, as_tables, fit_tables
from margin.inference import JunctionTree

NET = build("Net", [("a", "b"), ("b", "c")], None, {n: [0, 1] for n in "abc"})
OPTIONS = {"tol": 1e-9, "max_iter": 2000, "n_threads": 1}


def rows(n=300, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, n)
    b = (rng.random(n) < np.array([0.2, 0.7])[a]).astype(int)
    c = (rng.random(n) < np.array([0.1, 0.6])[b]).astype(int)
    return np.stack([a, b, c], axis=1).astype(np.int32), rng


def log_likelihood(tables, codes):
    joint = np.einsum("a,ab,bc->abc", *tables)
    total = 0.0
    for row in codes:
        kept = joint[tuple(slice(None) if x < 0 else slice(x, x + 1) for x in row)]
        total += np.log(kept.sum())
    return total


def test_complete_rows_are_counted():
    """graphical.17"""
    codes, _ = rows()
    solution = fit_tables(NET, codes, None, Prior(), **OPTIONS)
    tables = as_tables(NET, solution)
    for u in range(2):
        of_u = codes[codes[:, 0] == u]
        assert_allclose(tables["b"][u, 1], of_u[:, 1].mean())
    assert_allclose(solution.objective, -log_likelihood(tables.values(), codes) / len(codes))


def test_weights_are_repetitions():
    codes, rng = rows()
    weight = rng.integers(0, 4, len(codes)).astype(float)
    codes[rng.random(codes.shape) < 0.2] = -1
    weighted = fit_tables(NET, codes, weight, Prior(), **OPTIONS)
    repeated = fit_tables(
        NET, np.repeat(codes, weight.astype(int), axis=0), None, Prior(), **OPTIONS
    )
    assert_allclose(weighted.x, repeated.x, atol=1e-5)


@pytest.mark.parametrize("prior", [Prior(), Prior(alpha=0.5), Prior(equivalent_sample_size=3.0)])
def test_em_climbs_to_a_stationary_point(prior):
    """graphical.19: the objective never rises, and the end is a fixed point of the definition."""
    codes, rng = rows(120, seed=2)
    codes[rng.random(codes.shape) < 0.3] = -1
    solution = fit_tables(NET, codes, None, prior, **OPTIONS)
    trace = solution.trace["objective"]
    assert np.diff(trace).max() < 1e-12
    assert solution.extras["smallest_step"] > -1e-12
    assert solution.status is Status.CONVERGED
    tables = list(as_tables(NET, solution).values())
    assert_allclose(
        trace[-1] * len(codes),
        -log_likelihood(tables, codes) - prior.log_density(tables),
        rtol=1e-12,
    )
    step = 1e-5
    for k, table in enumerate(tables):
        for u in np.ndindex(table.shape[:-1]):
            moved = [t.copy() for t in tables]
            slopes = []
            for sign in (1, -1):
                moved[k][u] = table[u] + sign * step * np.array([1, -1])
                value = log_likelihood(moved, codes) + prior.log_density(moved)
                slopes.append(value)
            assert abs(slopes[0] - slopes[1]) / (2 * step) < 1e-2


def test_latent_variable_is_learned():
    """graphical.19: a column that is never seen; two clusters explain the others."""
    rng = np.random.default_rng(0)
    latent = rng.integers(0, 2, 400)
    seen = (rng.random((400, 4)) < np.where(latent[:, None], 0.9, 0.1)).astype(np.int32)
    codes = np.column_stack([np.full(400, -1, np.int32), seen])
    star = build(
        "Net",
        [("h", f"x{i}") for i in range(4)],
        None,
        {n: [0, 1] for n in ["h", "x0", "x1", "x2", "x3"]},
    )
    solution = fit_tables(star, codes, None, Prior(), **OPTIONS)
    tables = as_tables(star, solution)
    spread = np.abs(tables["x0"][0, 1] - tables["x0"][1, 1])
    assert spread > 0.7
    independent = -sum(
        np.mean(seen[:, j] * np.log(m) + (1 - seen[:, j]) * np.log(1 - m))
        for j, m in enumerate(seen.mean(axis=0))
    )
    assert solution.objective < independent - 0.3


def test_unseen_configurations_are_reported():
    codes = np.array([[0, 0, 0], [0, 1, 1]], dtype=np.int32)
    solution = fit_tables(NET, codes, None, Prior(), **OPTIONS)
    assert as_tables(NET, solution)["b"][1].tolist() == [0.5, 0.5]
    assert "1 configurations of parents never occur (nodes 'b')" in solution.repairs[0]
    assert fit_tables(NET, codes, None, Prior(alpha=1.0), **OPTIONS).repairs == ()


def test_too_few_iterations_are_told():
    codes, rng = rows(60)
    codes[rng.random(codes.shape) < 0.4] = -1
    solution = fit_tables(NET, codes, None, Prior(), tol=1e-12, max_iter=2, n_threads=1)
    assert solution.status is Status.MAX_ITER
    assert "max_iter=2" in solution.message


def test_families_refuse_forty_parents():
    names = [f"v{i}" for i in range(41)]
    wide = build("Net", [(n, "v40") for n in names[:40]], None, {n: [0, 1] for n in names})
    with pytest.raises(ValueError, match="40 parents"):
        wide.families()


def test_interruption_keeps_the_best_tables(monkeypatch):
    """graphical.19: Ctrl-C in the fourth expectation leaves two iterations' work."""
    codes, rng = rows()
    codes[rng.random(codes.shape) < 0.2] = -1
    two = fit_tables(NET, codes, None, Prior(), tol=1e-9, max_iter=2, n_threads=1)
    real, calls = JunctionTree.expected_counts, []

    def impatient(self, *args, **options):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(self, *args, **options)

    monkeypatch.setattr(JunctionTree, "expected_counts", impatient)
    stopped = fit_tables(NET, codes, None, Prior(), **OPTIONS)
    assert stopped.status is Status.MAX_ITER
    assert stopped.message == "interrupted after 2 iterations"
    assert_allclose(stopped.x, two.x, rtol=1e-14)
    calls[:] = [1, 1, 1]
    with pytest.raises(KeyboardInterrupt):
        fit_tables(NET, codes, None, Prior(), **OPTIONS)
