"""Loopy belief propagation on any factors (inference.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.inference import FactorModel, enumerate_model, loopy_bp

PAIR = np.array([[2.0, 1.0], [1.0, 2.0]])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("schedule", ["residual", "flooding"])
def test_trees_are_exact(seed, schedule, random_model):
    """inference.15: on a tree loopy propagation is exact, by any schedule."""
    model = random_model(np.random.default_rng(seed), 6, tree=True, zeros=seed % 4 == 3)
    evidence = {2: 0} if seed % 2 else {}
    oracle = enumerate_model(model, (0,), evidence)
    if oracle.evidence_mass == 0:
        return
    beliefs = loopy_bp(model, evidence, schedule=schedule, tol=1e-13)
    assert beliefs.status is Status.CONVERGED
    for v in range(6):
        wanted = enumerate_model(model, (v,), evidence).table
        assert_allclose(beliefs.marginals[v], wanted, atol=1e-12)
    for scope, table in zip(model.scopes, beliefs.factor_marginals, strict=True):
        assert_allclose(table, enumerate_model(model, scope, evidence).table, atol=1e-12)
    assert beliefs.log_evidence == pytest.approx(np.log(oracle.evidence_mass), abs=1e-10)


def ring(strength):
    pair = np.exp(strength * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    scopes = ((0,), (0, 1), (1, 2), (2, 3), (3, 0))
    return FactorModel((2,) * 4, scopes, ([2.0, 1.0], pair, pair, pair, pair))


def test_a_fixed_point_of_a_single_loop_whatever_the_start_and_schedule():
    """On one cycle the fixed point is unique; beliefs are near the exact marginals."""
    model = ring(0.3)
    reference = loopy_bp(model, tol=1e-12)
    for options in (
        {"schedule": "flooding"},
        {"damping": 0.5},
        {"rng": np.random.default_rng(1)},
        {"schedule": "flooding", "damping": 0.3, "rng": np.random.default_rng(2)},
    ):
        beliefs = loopy_bp(model, tol=1e-12, max_iter=2000, **options)
        assert beliefs.status is Status.CONVERGED
        assert beliefs.certificate.holds
        assert_allclose(np.stack(beliefs.marginals), np.stack(reference.marginals), atol=1e-10)
    exact = [enumerate_model(model, (v,)).table for v in range(4)]
    assert_allclose(np.stack(reference.marginals), exact, atol=0.02)


def test_failure_to_converge_is_reported():
    """A frustrated, strongly coupled complete graph: flooding oscillates or runs out of rounds."""
    pair = np.exp(3.0 * np.array([[-1.0, 1.0], [1.0, -1.0]]))
    scopes = tuple((i, j) for i in range(5) for j in range(i))
    model = FactorModel((2,) * 5, (*scopes, (0,)), ((pair,) * len(scopes)) + ([0.6, 0.4],))
    beliefs = loopy_bp(model, schedule="flooding", max_iter=30)
    assert beliefs.status is Status.MAX_ITER
    assert beliefs.n_iter == 30
    assert not beliefs.certificate.holds
    assert np.isfinite(np.stack(beliefs.marginals)).all()


def test_max_product_on_a_tree_gives_max_marginals(random_model):
    model = random_model(np.random.default_rng(3), 5, tree=True)
    beliefs = loopy_bp(model, maximise=True, tol=1e-13)
    joint = enumerate_model(model).table
    for v in range(5):
        best = joint.max(axis=tuple(u for u in range(5) if u != v))
        assert_allclose(beliefs.marginals[v], best / best.sum(), atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"damping": 1.0}, "damping must be in"),
        ({"schedule": "random"}, "schedule must be one of"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"evidence": {0: 5}}, "evidence"),
    ],
)
def test_bad_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        loopy_bp(ring(0.1), **options)


def test_impossible_evidence_gives_no_nan():
    model = FactorModel((2, 2), ((0,), (0, 1)), ([1.0, 0.0], np.eye(2)))
    beliefs = loopy_bp(model, {1: 1})
    assert beliefs.log_evidence == -np.inf
    assert not np.isnan(np.concatenate(beliefs.marginals)).any()
