"""The compiled E step of independent columns against its NumPy twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from margin.native.mixture.columns import expected_columns


def case(n, p, k, gaps, dtype=np.float64):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    X[rng.random(X.shape) < gaps] = np.nan
    means, heights = rng.normal(size=(2, k, p))
    return X.astype(dtype), means, rng.random((k, p)) + 0.5, heights, rng.normal(size=k)


def twin(X, weight, means, scales, heights, levels, beta):
    away = X.astype(np.float64)[:, None, :] - means
    cost = 0.5 * (away * scales) ** 2 + heights
    joint = levels - np.nansum(cost, axis=2)
    if np.isinf(beta):
        share, bound = np.eye(len(means))[joint.argmax(1)], joint.max(1)
    else:
        bound = logsumexp(beta * joint, axis=1)
        share, bound = np.exp(beta * joint - bound[:, None]), bound / beta
    w = np.ones(len(X)) if weight is None else weight
    r = (share * w[:, None])[:, :, None]
    seen = ~np.isnan(away)
    return (
        w @ bound,
        r[:, :, 0].sum(0),
        (r * seen).sum(0),
        np.nansum(r * away, axis=0),
        np.nansum(r * away**2, axis=0),
    )


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 3, 2), (300, 7, 4), (3000, 4, 3)])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("beta", [1.0, 0.3, np.inf])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_agrees_with_numpy(shape, gaps, beta, dtype):
    """mixture.02: diagonal covariances, gaps left out."""
    X, *laws = case(*shape, gaps, dtype)
    weight = np.random.default_rng(1).integers(0, 3, size=len(X)).astype(float)
    for w in (None, weight):
        found = expected_columns(X, w, *laws, beta=beta)
        for value, expected in zip(found, twin(X, w, *laws, beta), strict=True):
            assert_allclose(value, expected, rtol=1e-9, atol=1e-9)


def test_strides_threads_and_empty_tables():
    X, *laws = case(9000, 5, 3, 0.1)
    one = expected_columns(X, None, *laws)
    many = expected_columns(np.asfortranarray(X), None, *laws, n_threads=3)
    for value, other in zip(one, many, strict=True):
        assert_array_equal(value, other)
    assert expected_columns(X[:0], None, *laws).bound == 0.0


def test_members_without_weight_and_rows_far_out():
    X, means, scales, heights, levels = case(20, 2, 3, 0.0)
    levels[1] = -np.inf
    X[3] = 1e200
    assert expected_columns(X, None, means, scales, heights, levels).bound == -np.inf
    light = (np.arange(20) != 3) * 1.0
    found = expected_columns(X, light, means, scales, heights, levels)
    assert np.isfinite(found.bound)
    assert_allclose(found.total[[1]], 0)
    assert_allclose(found.total.sum(), 19)


def test_shapes_are_checked():
    X, *laws = case(20, 2, 3, 0.0)
    with pytest.raises(ValueError, match="arrays of different shape"):
        expected_columns(X, np.ones(3), *laws)
