"""What a fitted regression answers: targets, draws, leave-one-out, precomputed kernels."""

import numpy as np
import pytest

from margin.distributions import MultivariateNormal, Normal
from margin.gp import GaussianProcessRegressor
from margin.kernels import RBF, White

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
Y = np.sin(X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=20)


def fixed(kernel=None, **parameters):
    kernel = RBF(1.0) if kernel is None else kernel
    return GaussianProcessRegressor(kernel=kernel, optimizer=None, **parameters)


def test_several_targets_share_the_kernel():
    both = np.column_stack([Y, X[:, 0] - Y])
    model = fixed(alpha=0.1, normalize_y=True).fit(X, both)
    mean, std = model.predict(X + 0.1, return_std=True)
    dist, loo = model.predict_dist(X + 0.1), model.loo_predict_dist()
    for j in range(2):
        alone = fixed(alpha=0.1, normalize_y=True).fit(X, both[:, j])
        a, b = alone.predict(X + 0.1, return_std=True)
        np.testing.assert_allclose(mean[:, j], a)
        np.testing.assert_allclose(std[:, j], b)
        np.testing.assert_allclose(dist.var[:, j], alone.predict_dist(X + 0.1).var)
        np.testing.assert_allclose(loo.mean[:, j], alone.loo_predict_dist().mean)
    assert model.sample_y(X, 3).shape == (20, 2, 3)
    assert model.predict(X, return_cov=True)[1].shape == (20, 20, 2)
    assert model.loo_log_prob().shape == (20,)


def test_leave_one_out_is_what_refits_give():
    model = fixed(2.0 * RBF(1.0) + White(0.1), alpha=0.05, mean="constant").fit(X, Y)
    held = model.loo_predict_dist()
    for i in (0, 7):
        rest = np.arange(20) != i
        alone = fixed(2.0 * RBF(1.0) + White(0.1), alpha=0.05, mean="constant")
        wanted = alone.fit(X[rest], Y[rest]).predict_dist(X[[i]])
        assert held.mean[i] == pytest.approx(wanted.mean[0], rel=1e-9)
        assert held.var[i] == pytest.approx(wanted.var[0], rel=1e-9)
        assert model.loo_log_prob()[i] == pytest.approx(float(wanted.log_prob(Y[i])[0]), rel=1e-8)


def test_samples_and_joint_distributions():
    model = fixed(2.0 * RBF(1.0), alpha=0.1).fit(X, Y)
    new = X[:4] + 0.3
    joint = model.predict_dist(new, joint=True, latent=True)
    assert isinstance(joint, MultivariateNormal)
    assert isinstance(model.predict_dist(new), Normal)
    paths = model.sample_y(new, 20_000, random_state=1)
    np.testing.assert_allclose(paths.mean(axis=1), joint.mean, atol=0.05)
    np.testing.assert_allclose(np.cov(paths), joint.covariance, atol=0.05)
    assert GaussianProcessRegressor().sample_y(new, 2).shape == (4, 2)
    with pytest.raises(RuntimeError, match="At most one of return_std or return_cov"):
        model.predict(new, True, True)


def test_precomputed():
    K, new = RBF(1.0)(X), X[:3] + 0.2
    plain, given = fixed(alpha=0.1).fit(X, Y), fixed("precomputed", alpha=0.1).fit(K, Y)
    cross = RBF(1.0)(new, X)
    np.testing.assert_allclose(given.predict(cross), plain.predict(new), rtol=1e-10)
    std = given.predict(cross, return_std=True, prior=np.ones(3))[1]
    np.testing.assert_allclose(std, plain.predict(new, return_std=True)[1], rtol=1e-10)
    cov = given.predict(cross, return_cov=True, prior=RBF(1.0)(new))[1]
    np.testing.assert_allclose(cov, plain.predict(new, return_cov=True)[1], rtol=1e-8, atol=1e-12)
    with pytest.raises(ValueError, match="prior must be an array"):
        given.predict(cross, return_std=True)
    with pytest.raises(ValueError, match="prior must be an array"):
        given.predict(cross, return_std=True, prior=np.ones(2))
