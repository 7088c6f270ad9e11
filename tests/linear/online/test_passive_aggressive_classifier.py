import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.linear import PassiveAggressiveClassifier, SGDClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4))
Y = np.where(X[:, 0] + 0.5 * RNG.normal(size=80) > 0, 1, -1)


def by_hand(C, damped, epochs, intercept=True):
    """The rule of the paper, one row after the other."""
    w, b = np.zeros(4), 0.0
    for _ in range(epochs):
        for x, y in zip(X, Y, strict=True):
            loss, square = max(0.0, 1.0 - y * (x @ w + b)), x @ x
            step = loss / (square + 0.5 / C) if damped else min(C, loss / square)
            w, b = w + step * y * x, b + step * y * intercept
    return w, b


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_steps_are_those_of_the_paper(loss, storage, intercept):
    model = PassiveAggressiveClassifier(
        C=0.3, loss=loss, shuffle=False, tol=None, max_iter=3, fit_intercept=intercept
    ).fit(storage(X), Y)
    w, b = by_hand(0.3, loss == "squared_hinge", 3, intercept)
    assert_allclose(model.coef_[0], w, atol=1e-12)
    assert_allclose(model.intercept_, b, atol=1e-12)


@pytest.mark.parametrize(("loss", "rate"), [("hinge", "pa1"), ("squared_hinge", "pa2")])
def test_is_stochastic_descent_with_passive_steps(loss, rate):
    mine = PassiveAggressiveClassifier(C=0.5, loss=loss, random_state=3).fit(X, Y)
    other = SGDClassifier(penalty=None, learning_rate=rate, eta0=0.5, random_state=3).fit(X, Y)
    assert_allclose(mine.coef_, other.coef_)


def test_a_row_that_costs_nothing_changes_nothing():
    model = PassiveAggressiveClassifier().partial_fit([[2.0], [-2.0]], [1, 0], classes=[0, 1])
    before = model.coef_.copy()
    assert_allclose(model.partial_fit([[5.0]], [1]).coef_, before)


def test_refusals():
    for bad, text in (
        ({"C": 0.0}, "C must be a number above 0"),
        ({"loss": "log_loss"}, "loss must be one of"),
        ({"average": -1}, "average must be"),
    ):
        with pytest.raises(ValueError, match=f"^PassiveAggressiveClassifier: {text}"):
            PassiveAggressiveClassifier(**bad).fit(X, Y)
    with pytest.raises(ValueError, match=r"^SGDClassifier: loss must be 'hinge' for learn"):
        SGDClassifier("log_loss", learning_rate="pa1").fit(X, Y)
