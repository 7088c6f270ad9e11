"""inference.28: the driver of expectation maximisation."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit, logit, logsumexp

from margin.core import FitError, Status
from margin.inference import (
    Expectation,
    LargestChange,
    Measure,
    Repaired,
    Squarem,
    expectation_maximisation,
)

HEADS = np.array([5.0, 9.0, 8.0, 4.0, 7.0, 2.0])
TOSSES = 10


def log_joint(parameters):
    """Log probability of every row and coin, without the binomial coefficient."""
    share, bias = parameters
    odds = HEADS[:, None] * np.log(bias) + (TOSSES - HEADS[:, None]) * np.log(1 - bias)
    return odds + np.log([1 - share, share])


def expect(parameters):
    joint = log_joint(parameters)
    evidence = logsumexp(joint, axis=1)
    return Expectation(evidence.sum(), np.exp(joint - evidence[:, None]))


def maximise(posterior, parameters):
    mass = posterior.sum(axis=0)
    return mass[1] / len(HEADS), HEADS @ posterior / (TOSSES * mass)


START = (0.4, np.array([0.4, 0.7]))


def vector(parameters):
    return logit(np.append(parameters[0], parameters[1]))


def parameters(x):
    share, *bias = expit(x)
    return share, np.array(bias)


def negative(x):
    return -expect(parameters(x)).bound


def fit(*args, **options):
    given = {"tol": 1e-12, "max_iter": 5000, **options}
    return expectation_maximisation(expect, maximise, *args, **given)


def test_a_mixture_of_coins_reaches_the_maximum_of_the_likelihood():
    """inference.28: another optimiser on the likelihood itself, coins and shares free."""
    solution = fit([START])
    peak = minimize(negative, vector(START), tol=1e-12)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.objective, peak.fun, rtol=1e-9)
    assert_allclose(vector(solution.x), peak.x, atol=1e-4)
    assert_allclose(expect(solution.x).bound, -solution.objective, rtol=1e-14)
    assert_allclose(solution.extras["statistics"], expect(solution.x).statistics, rtol=1e-14)


def test_known_means_of_two_gaussians():
    """The worked first step of the means of two normals, unit variances, equal shares."""
    x = np.array([0.0, 1.0, 4.0, 5.0])[:, None]

    def means_expect(mean):
        joint = -0.5 * (x - mean) ** 2
        return Expectation(logsumexp(joint, axis=1).sum(), np.exp(joint - joint.max(1)[:, None]))

    def means_maximise(weight, mean):
        weight = weight / weight.sum(axis=1, keepdims=True)
        return (weight * x).sum(axis=0) / weight.sum(axis=0)

    start = np.array([1.0, 4.0])
    first = expectation_maximisation(means_expect, means_maximise, [start], max_iter=1)
    assert_allclose(first.x, [0.51786236, 4.48213764], atol=1e-8)
    last = expectation_maximisation(
        means_expect, means_maximise, [start], measure=LargestChange(), tol=1e-12
    )
    peak = minimize(lambda mean: -means_expect(mean).bound, start, tol=1e-10)
    assert_allclose(last.x, peak.x, atol=1e-6)


def test_no_hidden_part_is_one_step():
    """The limit: certain coins are counting, the second step changes nothing."""
    hidden = np.array([0, 1, 1, 0, 1, 0])

    def certain(parameters):
        joint = log_joint(parameters)[np.arange(len(HEADS)), hidden]
        return Expectation(joint.sum(), np.eye(2)[hidden])

    solution = expectation_maximisation(certain, maximise, [START], measure=LargestChange())
    assert solution.n_iter == 2
    assert solution.certificate.value == 0.0
    assert_allclose(solution.x[1], [(5 + 4 + 2) / 30, (9 + 8 + 7) / 30])


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_never_falls(seed):
    """inference.28: the smallest step, on the trace and as recorded."""
    rng = np.random.default_rng(seed)
    solution = fit([(rng.random(), rng.random(2))], tol=1e-9)
    steps = -np.diff(solution.trace["objective"])
    assert steps.min() >= -1e-12
    assert_allclose(solution.extras["smallest_step"], steps.min(), atol=1e-14)
    assert len(steps) == solution.n_iter


def test_a_bound_that_falls_is_told():
    def downhill(posterior, parameters):
        share, bias = maximise(posterior, parameters)
        return (share, bias) if share < 0.45 else (0.999, bias)

    solution = expectation_maximisation(expect, downhill, [(0.3, np.array([0.3, 0.8]))])
    assert solution.status is Status.STALLED
    assert "rose by" in solution.message
    assert solution.extras["smallest_step"] < -1e-3
    assert solution.objective == solution.trace["objective"].min()
    free = expectation_maximisation(
        expect, downhill, [(0.3, np.array([0.3, 0.8]))], monotone=None, max_iter=5
    )
    assert free.status is not Status.STALLED
    assert free.extras["smallest_step"] < -1e-3


def test_a_repair_is_recorded_and_excused():
    def reseeded(posterior, parameters):
        if parameters[0] == START[0]:
            return Repaired((0.6, np.array([0.05, 0.9])), ("coin 1 re-seeded",))
        return maximise(posterior, parameters)

    solution = expectation_maximisation(expect, reseeded, [START], tol=1e-12, max_iter=5000)
    assert solution.status is Status.CONVERGED
    assert solution.repairs == ("coin 1 re-seeded",)
    assert solution.extras["smallest_step"] < 0
    assert_allclose(solution.objective, fit([START]).objective, rtol=1e-9)


def test_the_best_of_several_starts_and_the_same_seed_the_same_answer():
    """Brute force over a grid of starts: never worse than any; equal coins are a saddle."""
    saddle = (0.5, np.array([0.5, 0.5]))

    def starts(seed):
        rng = np.random.default_rng(seed)
        yield saddle
        for _ in range(5):
            yield rng.random(), rng.random(2)

    one, two = fit(starts(3)), fit(starts(3))
    assert one.objective == two.objective
    assert_allclose(vector(one.x), vector(two.x), rtol=0)
    bounds = one.extras["bounds"]
    assert bounds.shape == (6,)
    assert -one.objective == bounds.max()
    assert bounds[0] < bounds.max() - 0.1
    for share, *bias in product([0.2, 0.8], [0.1, 0.6], [0.4, 0.9]):
        assert one.objective <= fit([(share, np.array(bias))]).objective + 1e-9


def test_acceleration_reaches_the_same_point_in_fewer_iterations():
    """Overlapping coins: EM creeps; two engines, one maximum."""
    plain = fit([START], measure=LargestChange(), tol=1e-10)
    fast = fit([START], measure=LargestChange(), tol=1e-10, accelerate=Squarem(vector, parameters))
    assert plain.status is fast.status is Status.CONVERGED
    assert_allclose(fast.objective, plain.objective, rtol=1e-12)
    assert_allclose(vector(fast.x), vector(plain.x), atol=1e-6)
    assert fast.extras["n_accelerated"] > 0
    assert fast.n_iter < 0.6 * plain.n_iter
    assert -np.diff(fast.trace["objective"]).max() >= -1e-12
    assert fast.extras["smallest_step"] >= -1e-12
    assert plain.extras["n_accelerated"] == 0


@pytest.mark.parametrize(
    "proposal",
    [(1e-9, np.array([0.5, 0.5])), (np.nan, np.array([0.5, 0.5])), None],
    ids=["worse", "not a number", "nothing"],
)
def test_a_proposal_that_lowers_the_bound_is_dropped(proposal):
    plain = fit([START])
    stubborn = fit([START], accelerate=lambda a, b, c: proposal)
    assert stubborn.extras["n_accelerated"] == 0
    assert stubborn.n_iter == plain.n_iter
    assert_allclose(vector(stubborn.x), vector(plain.x), rtol=0)


def test_hard_assignments_and_partial_steps():
    """Classification EM ends at a partition; generalised EM at the same maximum."""

    def hard(parameters):
        joint = log_joint(parameters)
        return Expectation(joint.max(axis=1).sum(), np.eye(2)[joint.argmax(axis=1)])

    solution = expectation_maximisation(hard, maximise, [START])
    assert solution.status is Status.CONVERGED
    best = max(
        hard(maximise(np.eye(2)[list(code)], None)).bound
        for code in product([0, 1], repeat=len(HEADS))
        if 0 < sum(code) < len(HEADS)
    )
    assert_allclose(-solution.objective, best)

    def partial(posterior, parameters):
        share, bias = maximise(posterior, parameters)
        return 0.5 * (share + parameters[0]), 0.5 * (bias + parameters[1])

    slow = expectation_maximisation(expect, partial, [START], tol=1e-13, max_iter=9000)
    assert_allclose(slow.objective, fit([START]).objective, rtol=1e-8)


def test_a_measure_of_ones_own_may_hold_at_the_start():
    class Slope(Measure):
        kind = "distance to a fixed point"

        def __call__(self, before, after):
            moved = maximise(after.statistics, after.parameters)
            return float(abs(vector(moved) - vector(after.parameters)).max())

    solution = fit([START], measure=Slope(), tol=1e-8)
    assert solution.certificate.kind == "distance to a fixed point"
    assert solution.certificate.holds
    again = fit([solution.x], measure=Slope(), tol=1e-8)
    assert (again.n_iter, again.status) == (0, Status.CONVERGED)


def test_limits_progress_and_words():
    seen = []
    solution = fit([START], max_iter=3, callback=lambda n, value: seen.append((n, value)))
    assert solution.status is Status.MAX_ITER
    assert solution.message.startswith("stopped after max_iter=3 iterations with relative gain")
    assert [n for n, _ in seen] == [1, 2, 3]
    assert_allclose([v for _, v in seen], solution.trace["objective"][1:])


def test_interruption_keeps_the_best_so_far():
    calls = []

    def impatient(parameters):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return expect(parameters)

    solution = expectation_maximisation(impatient, maximise, [START, START], tol=1e-12)
    assert solution.interrupted
    assert solution.message == "interrupted after 2 iterations"
    assert_allclose(vector(solution.x), vector(fit([START], max_iter=2).x))
    calls[:] = [1, 1, 1]
    with pytest.raises(KeyboardInterrupt):
        expectation_maximisation(impatient, maximise, [START])


def test_numbers_that_break_are_told():
    broken = (0.4, np.array([0.4, np.nan]))
    assert fit([broken]).status is Status.FAILED
    both = fit([broken, START])
    assert both.status is Status.CONVERGED
    assert np.isnan(both.extras["bounds"][0])

    def refuse(parameters):
        raise FitError("no posterior")

    with pytest.raises(FitError, match="no posterior"):
        expectation_maximisation(refuse, maximise, [START])
    with pytest.raises(ValueError, match="expectation_maximisation: starts must be at least one"):
        fit([])
