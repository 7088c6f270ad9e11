import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.linear import PassiveAggressiveRegressor, SGDRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X @ [1.0, -1.0, 0.5] + 2.0 + 0.1 * RNG.normal(size=60)


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_steps_are_those_of_the_paper(loss, storage):
    C, width, w, b = 0.3, 0.2, np.zeros(3), 0.0
    for _ in range(3):
        for x, y in zip(X, Y, strict=True):
            error = y - x @ w - b
            cost, square = max(0.0, abs(error) - width), x @ x
            step = min(C, cost / square)
            if loss.startswith("squared"):
                step = cost / (square + 0.5 / C)
            w, b = w + step * np.sign(error) * x, b + step * np.sign(error)
    model = PassiveAggressiveRegressor(
        C=C, loss=loss, epsilon=width, shuffle=False, tol=None, max_iter=3
    ).fit(storage(X), Y)
    assert_allclose(model.coef_, w, atol=1e-12)
    assert_allclose(model.intercept_, b, atol=1e-12)


@pytest.mark.parametrize("damped", [False, True])
def test_is_stochastic_descent_with_passive_steps(damped):
    loss = "squared_epsilon_insensitive" if damped else "epsilon_insensitive"
    mine = PassiveAggressiveRegressor(C=0.5, loss=loss, epsilon=0.3).fit(X, Y)
    rules = {"penalty": None, "learning_rate": "pa2" if damped else "pa1", "eta0": 0.5}
    other = SGDRegressor("epsilon_insensitive", epsilon=0.3, **rules).fit(X, Y)
    assert_allclose(mine.coef_, other.coef_)


def test_finds_a_line_and_refuses_nonsense():
    model = PassiveAggressiveRegressor(C=0.1).fit(X, Y)
    assert model.score(X, Y) > 0.9
    with pytest.raises(ValueError, match=r"^PassiveAggressiveRegressor: epsilon must be a number"):
        PassiveAggressiveRegressor(epsilon=-1.0).fit(X, Y)
