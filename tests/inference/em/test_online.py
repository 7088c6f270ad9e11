"""Online expectation maximisation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    Expectation,
    OnlineState,
    OnlineSteps,
    Repaired,
    Soft,
    StepSize,
    expectation_maximisation,
)


def test_step_sizes_fall_as_told():
    """inference.30: conditions of stochastic approximation, and the even average."""
    assert [StepSize(power=1.0)(t) for t in (1, 2, 4)] == [1.0, 0.5, 0.25]
    assert StepSize(delay=3.0, power=0.5)(1) == 0.5
    with pytest.raises(ValueError, match="StepSize: power must be a number between 0 and 1"):
        StepSize(power=2.0)


def test_batches_of_a_stream_lead_to_the_answer_of_all():
    """inference.30: online EM of two means, against EM on everything."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-1.5, 1, 3000), rng.normal(2, 1, 3000)])
    rng.shuffle(x)

    def shares(rows, mean):
        share, bound = Soft()(-0.5 * (rows[:, None] - mean) ** 2)
        stats = np.array([share.mean(0), rows @ share / len(rows)])
        return Expectation(float(bound.mean()), stats)

    def maximise(stats, _):
        return stats[1] / stats[0]

    everything = expectation_maximisation(
        lambda m: shares(x, m), maximise, [np.array([-0.5, 0.5])], tol=1e-12
    )
    steps = OnlineSteps(
        lambda m, t: shares(x[100 * (t % 60) :][:100], m),
        maximise,
        lambda old, new, rate: (1 - rate) * old + rate * new,
        StepSize(power=0.8),
    )
    solution = expectation_maximisation(
        steps.expect,
        steps.maximise,
        [OnlineState(np.array([-0.5, 0.5]))],
        tol=None,
        max_iter=300,
        monotone=None,
        keep="last",
    )
    assert solution.x.n_steps == 300
    assert_allclose(solution.x.parameters, everything.x, atol=0.06)


def test_repairs_pass_through():
    steps = OnlineSteps(
        lambda m, t: Expectation(0.0, 1.0),
        lambda s, m: Repaired(s, ("mended",)),
        lambda old, new, rate: new,
    )
    new = steps.maximise(1.0, OnlineState(0.0))
    assert new.repairs == ("mended",)
    assert new.parameters.parameters == 1.0
