"""The two steps of regressions that share rows."""

import numpy as np
from numpy.testing import assert_allclose

from margin.inference import Repaired
from margin.mixture.regression._linear_experts import (
    ExpertSteps,
    ExpertSums,
    FromVector,
    LinearExperts,
    exact_repairs,
    to_vector,
)
from margin.mixture.regression._target_rows import TargetRows

RNG = np.random.default_rng(0)
Z = np.column_stack([np.ones(30), RNG.normal(size=(30, 2))])
Y = RNG.normal(size=30)


def steps(gated):
    rows = TargetRows([(Z, Y, np.ones(30))])
    return ExpertSteps.of(rows, rows.totals(), gated=gated, floor=0.01, alpha=0.1)


def sums(share, at):
    return ExpertSums.of(Z, Y, np.ones(30), share, at)


def test_sums_of_blocks_are_those_of_all_rows():
    """Least squares problems of two blocks combine into one, with few rows too."""
    share = RNG.dirichlet(np.ones(2), size=30)
    at = LinearExperts(RNG.normal(size=(3, 2)), np.ones(2), RNG.normal(size=(3, 2)))
    whole = ExpertSums.of(Z, Y, np.ones(30), share, at)
    parts = [ExpertSums.of(Z[r], Y[r], np.ones(len(Y[r])), share[r], at)
             for r in (slice(0, 2), slice(2, 11), slice(11, 30))]  # fmt: skip
    both = parts[0] + parts[1] + parts[2]
    assert_allclose(both.total, whole.total)
    assert_allclose(both.pull, whole.pull, atol=1e-12)
    for k in range(2):
        w, error = both.regression(k)
        half = np.sqrt(share[:, k])
        truth = np.linalg.lstsq(Z * half[:, None], Y * half, rcond=None)[0]
        assert_allclose(w, truth)
        assert_allclose(error, share[:, k] @ (Y - Z @ truth) ** 2)


def test_vectors_there_and_back():
    for gated in (False, True):
        at = steps(gated).start(3, np.random.default_rng(1))
        back = FromVector(3, 3, gated)(to_vector(at))
        for a, b in zip(at, back, strict=True):
            assert_allclose(a, b)


def test_a_step_of_the_gate_never_lowers_its_likelihood():
    """Böhning's bound, from gates far out."""
    problem = steps(True)
    share = RNG.dirichlet(np.ones(3), size=30)

    def value(at):
        return (share * at.log_choice(Z)).sum() - 0.05 * (at.gate**2).sum()

    for seed in range(20):
        start = problem.start(3, np.random.default_rng(seed))
        start = start._replace(gate=5 * np.random.default_rng(seed).normal(size=(3, 3)))
        assert value(problem.maximise(sums(share, start), start)) > value(start)


def test_a_regression_without_rows_rests():
    share = np.zeros((30, 2))
    share[:, 0] = 1.0
    start = LinearExperts(np.zeros((3, 2)), np.ones(2), np.log([[0.5, 0.5]]))
    new = steps(False).maximise(sums(share, start), start)
    assert isinstance(new, Repaired)
    assert new.repairs == ("component 1 has no rows left: it rests",)
    assert np.isneginf(new.parameters.gate[0, 1])
    assert np.isfinite(steps(False).expect(new.parameters).bound)


def test_exact_regressions_and_empty_ones_are_told_of():
    gate = np.array([[0.0, -np.inf, 0.0]])
    at = LinearExperts(np.zeros((2, 3)), np.array([1e-6, 1.0, 2.0]), gate)
    assert exact_repairs(at, 1e-6) == (
        "component 1 has no rows left: it rests",
        "component 0 goes through its rows exactly: reg_var is all its variance",
    )
