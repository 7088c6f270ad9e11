import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference.sampling._leapfrog import Metric, departing
from margin.inference.sampling._no_u_turn import NoUTurn

METRIC = Metric(np.ones(1))


def quartic(x):
    return -float(x[0] ** 4) / 4, -(x**3)


def journey(x, rng, step=0.4, depth=6, function=quartic):
    at = departing(METRIC, x, *function(x), rng)
    return NoUTurn(depth).travel(function, METRIC, at, step, rng)


def test_one_journey_leaves_the_law_as_it_is():
    """Exact draws of exp(-x⁴/4), moved once, have the same law: no warm-up hides an error."""
    from scipy.stats import gamma, ks_2samp

    rng = np.random.default_rng(0)

    def exact(n):
        return (4 * gamma(0.25).rvs(n, random_state=rng)) ** 0.25 * rng.choice([-1.0, 1.0], n)

    # A coarse step: errors of the weights would show.
    moved = np.array([journey(np.array([x]), rng, step=0.9).x[0] for x in exact(6000)])
    assert ks_2samp(moved, exact(6000)).pvalue > 0.01
    assert np.mean(moved**4) == pytest.approx(1.0, abs=0.06)


def test_paths_end_where_they_turn():
    rng = np.random.default_rng(0)

    def bowl(x):
        return -0.5 * float(x @ x), -x

    trips = [journey(np.array([1.0]), rng, step=0.1, depth=10, function=bowl) for _ in range(50)]
    # Half a turn of the circle in phase space takes pi / 0.1 steps.
    assert np.median([trip.n_steps for trip in trips]) < 64
    assert all(2**trip.depth > trip.n_steps / 2 for trip in trips)


def test_the_longest_path_is_kept():
    def flat(x):
        return 0.0, np.zeros(1)

    trip = journey(np.zeros(1), np.random.default_rng(0), depth=3, function=flat)
    assert (trip.depth, trip.n_steps, trip.divergent) == (3, 7, False)
    assert_allclose(trip.acceptance, 1.0)


def test_a_cliff_is_told():
    def cliff(x):
        return (0.0, np.zeros(1)) if abs(x[0]) < 0.1 else (-1e6, np.zeros(1))

    trip = journey(np.zeros(1), np.random.default_rng(0), step=5.0, function=cliff)
    assert trip.divergent
    assert abs(trip.x[0]) < 0.1
