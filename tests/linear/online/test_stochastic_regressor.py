import numpy as np
import pytest

from margin.linear import PassiveAggressiveRegressor, SGDRegressor
from margin.linear.online._stochastic_regressor import StochasticRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = X @ [1.0, -2.0, 0.0, 0.5] + 0.1 * RNG.normal(size=90)
MODELS = [
    SGDRegressor(learning_rate="constant", eta0=0.05, shuffle=False, tol=None, max_iter=3),
    SGDRegressor(shuffle=False, tol=None, max_iter=3),
    PassiveAggressiveRegressor(C=0.1, shuffle=False, tol=None, max_iter=3),
]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("average", [False, True, 50])
def test_epochs_without_tolerance_are_calls_of_partial_fit(model, average):
    assert isinstance(model, StochasticRegressor)
    whole = model.set_params(average=average).fit(X, Y)
    parts = type(model)(**model.get_params())
    for _ in range(3):
        parts.partial_fit(X, Y)
    np.testing.assert_allclose(parts.coef_, whole.coef_, atol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, atol=1e-12)


def test_tolerance_does_not_depend_on_the_level_of_the_targets():
    """A start at zero is far from targets around 1000: the tolerance is a share of their spread."""
    level = SGDRegressor(alpha=0.0, learning_rate="constant", eta0=0.02).fit(X, Y + 1000.0)
    np.testing.assert_allclose(level.coef_, [1.0, -2.0, 0.0, 0.5], atol=0.1)
    np.testing.assert_allclose(level.intercept_, 1000.0, atol=0.1)
