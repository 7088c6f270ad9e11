import numpy as np
import pytest

from margin.distributions import MixtureDistribution, MultivariateNormal, Normal
from margin.sequence._step_laws import StepLaws, horizon

RNG = np.random.default_rng(0)
NEAR = MixtureDistribution([0.5, 0.5], Normal([-2.0, 2.0], 1.0))
FAR = MixtureDistribution([0.2, 0.8], Normal([-2.0, 2.0], 3.0))
AHEAD = StepLaws([NEAR, FAR])


def test_every_step_answers_for_itself():
    x = RNG.normal(size=(5, 2))
    for name in ("log_prob", "cdf"):
        want = np.column_stack([getattr(NEAR, name)(x[:, 0]), getattr(FAR, name)(x[:, 1])])
        np.testing.assert_allclose(getattr(AHEAD, name)(x), want)
    np.testing.assert_allclose(AHEAD.log_prob(1.0), [NEAR.log_prob(1.0), FAR.log_prob(1.0)])
    np.testing.assert_allclose(AHEAD.mean, [0.0, 1.2])
    np.testing.assert_allclose(AHEAD.var, [float(NEAR.var), float(FAR.var)])
    levels = AHEAD.quantile([0.1, 0.5, 0.9])
    np.testing.assert_allclose(levels[:, 1], FAR.quantile([0.1, 0.5, 0.9]))
    np.testing.assert_allclose(AHEAD.cdf(levels), np.tile([[0.1], [0.5], [0.9]], 2), atol=1e-9)
    low, high = AHEAD.interval(0.5)
    assert low.shape == high.shape == (2,)
    draws = AHEAD.sample(4000, 0)
    np.testing.assert_allclose(draws.mean(axis=0), AHEAD.mean, atol=0.2)


def test_vectors():
    law = MultivariateNormal([1.0, 2.0], np.array([[1.0, 0.5], [0.5, 2.0]]))
    ahead = StepLaws([law, law, law])
    assert ahead.shape == (3,)
    assert ahead.event == (2,)
    assert ahead.mean.shape == (3, 2)
    x = RNG.normal(size=(4, 3, 2))
    np.testing.assert_allclose(ahead.log_prob(x), law.log_prob(x))
    assert ahead.cdf(x).shape == (4, 3, 2)
    assert ahead.quantile([0.1, 0.9]).shape == (2, 3, 2)
    np.testing.assert_allclose(ahead.marginal([1]).mean, [[2.0]] * 3)
    np.testing.assert_allclose(
        ahead.condition([0], [1.0]).mean, [law.condition([0], [1.0]).mean] * 3
    )


def test_some_steps_and_none():
    assert AHEAD[1] is FAR
    assert list(AHEAD[:1].laws) == [NEAR]
    assert "2 steps" in repr(AHEAD)
    with pytest.raises(ValueError, match="StepLaws: laws must be at least one law"):
        StepLaws([])


@pytest.mark.parametrize("h", [0, True, 1.5, np.zeros(3)])
def test_horizons_that_are_none(h):
    with pytest.raises(ValueError, match="HMM: h must be an integer of at least 1"):
        horizon("HMM", h)
