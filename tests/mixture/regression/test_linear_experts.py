"""The two steps of regressions that share rows."""

import numpy as np
from numpy.testing import assert_allclose

from margin.inference import Repaired
from margin.mixture.regression._linear_experts import (
    ExpertSteps,
    FromVector,
    LinearExperts,
    to_vector,
)

RNG = np.random.default_rng(0)
Z = np.column_stack([np.ones(30), RNG.normal(size=(30, 2))])
Y = RNG.normal(size=30)


def steps(gated):
    return ExpertSteps.of(Z, Y, np.ones(30), gated=gated, floor=0.01, alpha=0.1)


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
        assert value(problem.maximise(share, start)) > value(start)


def test_a_regression_without_rows_rests():
    share = np.zeros((30, 2))
    share[:, 0] = 1.0
    start = LinearExperts(np.zeros((3, 2)), np.ones(2), np.log([[0.5, 0.5]]))
    new = steps(False).maximise(share, start)
    assert isinstance(new, Repaired)
    assert new.repairs == ("component 1 has no rows left: it rests",)
    assert np.isneginf(new.parameters.gate[0, 1])
    assert np.isfinite(steps(False).expect(new.parameters).bound)
