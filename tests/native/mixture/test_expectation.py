"""The compiled E step against its NumPy twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from margin.native.mixture.expectation import expected_moments, log_joint, shared_moments


def case(n, p, k, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)).astype(dtype)
    means = rng.normal(size=(k, p))
    roots = np.tril(rng.normal(size=(k, p, p))) + 2 * np.eye(p)
    return X, means, roots, rng.normal(size=k)


def twin(X, weight, means, roots, constants, beta=1.0):
    away = X.astype(np.float64)[:, None, :] - means
    white = np.einsum("kij,nkj->nki", roots, away)
    joint = constants - 0.5 * (white**2).sum(-1)
    if np.isinf(beta):
        share = np.eye(len(means))[joint.argmax(1)]
        bound = joint.max(1)
    else:
        bound = logsumexp(beta * joint, axis=1)
        share = np.exp(beta * joint - bound[:, None])
        bound = bound / beta
    w = np.ones(len(X)) if weight is None else weight
    r = share * w[:, None]
    second = np.einsum("nk,nki,nkj->kij", r, away, away)
    return joint, share, (w @ bound, r.sum(0), np.einsum("nk,nki->ki", r, away), second)


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 3, 2), (128, 4, 3), (300, 7, 4), (2500, 16, 2)])
@pytest.mark.parametrize("beta", [1.0, 0.3, np.inf])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_agrees_with_numpy(shape, beta, dtype):
    """mixture.02: bound, shares and statistics of one pass."""
    X, means, roots, constants = case(*shape, dtype=dtype)
    weight = np.random.default_rng(1).integers(0, 3, size=len(X)).astype(float)
    for w in (None, weight):
        joint, share, expected = twin(X, w, means, roots, constants, beta)
        found = expected_moments(X, w, means, roots, constants, beta=beta)
        for value, twin_value in zip(found, expected, strict=True):
            assert_allclose(value, twin_value, rtol=1e-9, atol=1e-9)
        given = shared_moments(X, w, share, means)
        for value, twin_value in zip(given[1:], expected[1:], strict=True):
            assert_allclose(value, twin_value, rtol=1e-9, atol=1e-9)
    assert_allclose(log_joint(X, means, roots, constants), joint, rtol=1e-9, atol=1e-9)


def test_strides_and_empty_tables():
    X, means, roots, constants = case(40, 5, 2)
    plain = expected_moments(X, None, means, roots, constants)
    wide = np.zeros((5, 80))
    wide[:, ::2] = X.T
    for value, other in zip(
        plain, expected_moments(wide.T[::2], None, means, roots, constants), strict=True
    ):
        assert_array_equal(value, other)
    empty = expected_moments(X[:0], None, means, roots, constants)
    assert empty.bound == 0.0
    assert_array_equal(empty.total, 0)


def test_members_without_weight_and_rows_far_out():
    X, means, roots, constants = case(20, 2, 3)
    constants[1] = -np.inf
    X[3] = 1e200
    found = expected_moments(X, None, means, roots, constants)
    assert found.bound == -np.inf
    found = expected_moments(X, (np.arange(20) != 3) * 1.0, means, roots, constants)
    assert np.isfinite(found.bound)
    assert found.total[1] == 0.0
    assert_allclose(found.total.sum(), 19)


def test_shapes_are_checked():
    X, means, roots, constants = case(20, 2, 3)
    with pytest.raises(ValueError, match="arrays of different shape"):
        expected_moments(X, np.ones(3), means, roots, constants)


def test_the_answer_does_not_depend_on_threads():
    X, means, roots, constants = case(9000, 5, 3)
    one = expected_moments(X, None, means, roots, constants, n_threads=1)
    two = expected_moments(X, None, means, roots, constants, n_threads=3)
    for value, other in zip(one, two, strict=True):
        assert_array_equal(value, other)
