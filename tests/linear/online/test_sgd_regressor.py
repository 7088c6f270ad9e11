import numpy as np
import pytest
from scipy import sparse

from margin.linear import Lasso, Ridge, SGDRegressor

ALPHA = 0.05


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    return X, X @ [1.5, -1.0, 0.5, 0.0] + 2.0 + 0.5 * rng.normal(size=300)


def objective(X, y, coef, intercept):
    return np.mean((y - X @ coef - intercept) ** 2) / 2 + ALPHA / 2 * coef @ coef


@pytest.mark.parametrize("rate", ["optimal", "invscaling", "adaptive"])
@pytest.mark.parametrize("average", [False, True])
def test_near_ridge(data, rate, average):
    """optim.03, optim.07: n times the penalty in sums is the penalty of means."""
    X, y = data
    best = Ridge(alpha=ALPHA * len(y)).fit(X, y)
    wanted = objective(X, y, best.coef_, best.intercept_)
    model = SGDRegressor(alpha=ALPHA, learning_rate=rate, tol=1e-6, average=average).fit(X, y)
    reached = objective(X, y, model.coef_, model.intercept_[0])
    assert wanted - 1e-9 <= reached <= wanted + 5e-3
    np.testing.assert_allclose(model.coef_, best.coef_, atol=0.05)


def test_absolute_penalty_gives_zeros(data):
    """optim.03: proximal steps leave a useless column out, as the lasso does."""
    X, y = data
    best = Lasso(alpha=0.2).fit(X, y)
    model = SGDRegressor(
        penalty="l1", alpha=0.2, learning_rate="adaptive", tol=1e-6, max_iter=3000
    ).fit(X, y)
    np.testing.assert_allclose(model.coef_, best.coef_, atol=0.02)
    assert best.coef_[3] == model.coef_[3] == 0


def test_step_is_the_rule_of_widrow_and_hoff():
    """linear.04: w + eta (y - w x - b) x, row after row."""
    X, y = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([3.0, 1.0])
    model = SGDRegressor(
        penalty=None, learning_rate="constant", eta0=0.1, shuffle=False, fit_intercept=False
    ).partial_fit(X, y)
    w = np.zeros(2)
    for x, target in zip(X, y, strict=True):
        w = w + 0.1 * (target - w @ x) * x
    np.testing.assert_allclose(model.coef_, w)
    assert model.t_ == 2


def test_partial_fit_in_pieces_is_one_epoch(data):
    """optim.03, adaptation.08: a model that has seen a piece goes on from there."""
    X, y = data
    rules = {"shuffle": False, "fit_intercept": False, "average": True}
    whole = SGDRegressor(**rules).partial_fit(X, y)
    pieces = SGDRegressor(**rules)
    for rows in np.split(np.arange(300), 3):
        pieces.partial_fit(X[rows], y[rows])
    np.testing.assert_allclose(pieces.coef_, whole.coef_, rtol=1e-9)
    assert (whole.n_iter_, pieces.n_iter_) == (1, 3)


def test_same_seed_same_answer_whatever_the_storage(data):
    X, y = data

    def fit(X, y, weight=None, **rules):
        return SGDRegressor(alpha=ALPHA, tol=0.1, **rules).fit(X, y, sample_weight=weight)

    model = fit(X, y)
    np.testing.assert_array_equal(fit(X, y).coef_, model.coef_)
    np.testing.assert_allclose(fit(X[::-1], y[::-1]).coef_, model.coef_, atol=1e-9)
    np.testing.assert_allclose(fit(sparse.csr_array(X), y).coef_, model.coef_, atol=1e-9)
    weighted = fit(X, y, np.repeat([1.0, 2.0], 150))
    rows = np.append(np.arange(300), np.arange(150, 300))
    np.testing.assert_allclose(fit(X[rows], y[rows]).coef_, weighted.coef_, atol=1e-9)
    assert not np.array_equal(fit(X, y, random_state=7).coef_, model.coef_)


def test_huber_resists_outliers(data):
    X, y = data
    spoilt = y.copy()
    spoilt[:15] += 200.0
    rules = {"alpha": 0.0, "tol": 1e-5}
    model = SGDRegressor(loss="huber", epsilon=0.5, max_iter=3000, **rules).fit(X, spoilt)
    np.testing.assert_allclose(model.coef_, [1.5, -1.0, 0.5, 0.0], atol=0.15)


def test_refusals(data):
    for bad, text in [
        ({"loss": "hinge"}, "SGDRegressor: loss must be"),
        ({"eta0": 0.0}, "SGDRegressor: eta0 must be a number above 0, got 0.0"),
        ({"tol": -1}, "SGDRegressor: tol must be a number of at least 0, got -1"),
        ({"validation_fraction": 1.0}, "SGDRegressor: validation_fraction must be between 0 and 1"),
    ]:
        with pytest.raises(ValueError, match=f"^{text}"):
            SGDRegressor(**bad).fit(*data)
