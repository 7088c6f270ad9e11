"""Arrays of normal vectors with covariances of their own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal


@pytest.fixture
def stack(definite):
    matrices = np.array([definite(3, j) for j in range(4)])
    return MultivariateNormal(np.random.default_rng(0).normal(size=(4, 3)), matrices)


@pytest.mark.parametrize("form", ["covariance", "precision", "cholesky"])
def test_members_answer_as_they_would_alone(stack, form):
    """distributions.07: every form, every verb."""
    matrices = stack.precision if form == "precision" else stack.covariance
    if form == "cholesky":
        matrices = np.linalg.cholesky(matrices)
    given = MultivariateNormal(stack.mean, **{form: matrices})
    x = given.sample(5, 0)
    assert x.shape == (5, 4, 3)
    other = MultivariateNormal(np.zeros(3), np.eye(3))
    part, rest = given.marginal([2, 0]), given.condition([1], np.full((4, 1), 0.3))
    image = given.affine(np.ones((2, 3)) + np.eye(2, 3), [1.0, 2.0])
    for j in range(4):
        alone = MultivariateNormal(stack.mean[j], **{form: matrices[j]})
        assert_allclose(given.log_prob(x)[:, j], alone.log_prob(x[:, j]))
        assert_allclose(given.var[j], alone.var)
        assert_allclose(given.entropy[j], alone.entropy)
        assert_allclose(given.kl(other)[j], alone.kl(other))
        assert_allclose(part.covariance[j], alone.marginal([2, 0]).covariance)
        expected = alone.condition([1], [0.3])
        assert_allclose(rest.mean[j], expected.mean)
        assert_allclose(rest.covariance[j], expected.covariance)
        target = alone.affine(np.ones((2, 3)) + np.eye(2, 3), [1.0, 2.0])
        assert_allclose(image.covariance[j], target.covariance)
        assert_allclose(image.mean[j], target.mean)


def test_draws_have_the_covariances_of_the_members(stack):
    draws = stack.sample(40_000, 1)
    for j in range(4):
        assert_allclose(np.cov(draws[:, j].T), stack.covariance[j], rtol=0.1, atol=0.05)


def test_shapes_are_checked(stack):
    assert MultivariateNormal(np.zeros(3), stack.covariance).shape == (4,)
    assert stack[1:3].shape == (2,)
    assert stack.repair == ""
    with pytest.raises(ValueError, match=r"mean must be of shape \(\.\.\., 4, 3\)"):
        MultivariateNormal(np.zeros((2, 3)), stack.covariance)
    with pytest.raises(TypeError, match="a single distribution has no members"):
        stack[0][0]
    with pytest.raises(ValueError, match="take a member"):
        stack.joint_cdf(np.zeros(3))
