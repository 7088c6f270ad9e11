"""The two steps of a mixture of any distributions."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import Exponential, MixtureDistribution, Normal
from margin.inference import Repaired, Soft
from margin.mixture.families._family_steps import FamilySteps, events
from margin.mixture.finite._row_groups import Table

X = np.array([[0.5], [1.0], [4.0], [5.0], [np.nan]])


def steps(families, concentration=1.0, fixed=(False, False), X=X):
    rows = Table.of(X, None, split=False)
    return FamilySteps(rows, families, (None, None), fixed, concentration, Soft())


def test_the_m_step_is_the_fit_of_every_family():
    """mixture.01: two families, one row of which nothing is known."""
    at = MixtureDistribution([0.4, 0.6], [Exponential(1.0), Normal(4.0, 1.0)])
    problem = steps((Exponential, Normal))
    bound, stats = problem.expect(at)
    assert_allclose(bound, np.append(at.log_prob(X[:4, 0]), 0.0).mean())
    share = at.responsibilities(X[:, 0])
    new = problem.maximise(stats, at)
    assert_allclose(new.weights, share.mean(axis=0))
    first, second = new.components
    assert_allclose(first.mean, share[:4, 0] @ X[:4, 0] / share[:4, 0].sum())
    assert_allclose(second.mean, share[:4, 1] @ X[:4, 0] / share[:4, 1].sum())
    assert_allclose((stats + stats).total, 2 * stats.total)


def test_what_cannot_be_fitted_stays():
    """mixture.03."""
    at = MixtureDistribution([0.5, 0.5], [Normal(3.0, 1.0), Normal(1e9, 1.0)])
    problem = steps((Normal, Normal), X=X[:4])
    new = problem.maximise(problem.expect(at).statistics, at)
    assert isinstance(new, Repaired)
    assert "component 1 has no rows left: it rests" in new.repairs
    assert_allclose(new.parameters.weights, [1, 0])
    held = steps((Normal, Normal), 2.0, (True, True), X[:4])
    kept = held.maximise(held.expect(at).statistics, at)
    assert_allclose(kept.components[0].mean, 3.0)
    assert_allclose(kept.weights, [5 / 6, 1 / 6])


def test_rows_as_components_take_them():
    single = MixtureDistribution([1.0], [Normal(0.0, 1.0)])
    row = MixtureDistribution([1.0], [Normal([0.0], 1.0)])
    assert events(single, X).shape == (5,)
    assert events(row, X).shape == (5, 1)
