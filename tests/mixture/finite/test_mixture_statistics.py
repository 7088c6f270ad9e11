"""Statistics of mixtures add up."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import ColumnMoments, Moments
from margin.mixture.finite._mixture_statistics import (
    MixtureStatistics,
    blended,
    shifted_columns,
    shifted_moments,
)

RNG = np.random.default_rng(0)
X, SHARE = RNG.normal(size=(20, 2)), RNG.dirichlet(np.ones(3), size=20)


def statistics(kind, part):
    return MixtureStatistics(
        1.0, len(X[part]), SHARE[part].sum(axis=0), kind.of(X[part], SHARE[part])
    )


@pytest.mark.parametrize("kind", [Moments, ColumnMoments])
def test_a_monoid_with_multiples(kind):
    whole = statistics(kind, slice(None))
    both = sum([statistics(kind, slice(0, 7)), statistics(kind, slice(7, None))])
    for name in ("mean", "scatter", "weight"):
        assert_allclose(getattr(both.moments, name), getattr(whole.moments, name))
    twice = whole.scaled(2.0)
    assert_allclose(twice.moments.scatter, (whole + whole).moments.scatter)
    mixed = blended(whole, whole.scaled(3.0), 0.3)
    assert_allclose(mixed.weight, 4 * whole.weight)
    assert_allclose(mixed.moments.scatter, 4 * whole.moments.scatter)


def test_moments_from_sums_about_other_centres():
    centres = RNG.normal(size=(3, 2))
    away = X[:, None, :] - centres
    first = np.einsum("nk,nki->ki", SHARE, away)
    second = np.einsum("nk,nki,nkj->kij", SHARE, away, away)
    found = shifted_moments(SHARE.sum(axis=0), first, second, centres)
    expected = Moments.of(X, SHARE)
    assert_allclose(found.mean, expected.mean)
    assert_allclose(found.scatter, expected.scatter)
    columns = shifted_columns(
        np.broadcast_to(SHARE.sum(axis=0)[:, None], (3, 2)),
        first,
        np.diagonal(second, axis1=1, axis2=2),
        centres,
    )
    assert_allclose(columns.scatter, np.diagonal(expected.scatter, axis1=1, axis2=2))
    empty = shifted_moments(np.zeros(3), 0 * first, 0 * second, centres)
    assert_allclose(empty.scatter, 0)
