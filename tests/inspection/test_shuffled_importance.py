"""How much worse a model scores when a column is shuffled (tree.11)."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inspection import shuffled_importance
from margin.linear import GaussianNB, LinearRegression

mpl.use("Agg")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    return X, 2 * X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=300)


def test_linear_models_lose_twice_the_variance_they_explain(data):
    """A shuffled column of a linear model costs 2 w² var(x) of squared error on average."""
    X, y = data
    model = LinearRegression().fit(X, y)
    seen = shuffled_importance(
        model, X, y, scoring="neg_mean_squared_error", n_repeats=60, random_state=0
    )
    expected = 2 * model.coef_**2 * X.var(axis=0)
    low, high = seen.interval(0.999)
    assert ((low <= expected + 0.02) & (expected - 0.02 <= high)).all()
    assert seen.baseline == pytest.approx(-np.mean((model.predict(X) - y) ** 2))


def test_a_copy_lowers_importance(data):
    """tree.11: of two equal columns each looks less important."""
    X, y = data
    alone = shuffled_importance(LinearRegression().fit(X, y), X, y, random_state=0)
    twice = np.column_stack([X, X[:, 0]])
    both = shuffled_importance(LinearRegression().fit(twice, y), twice, y, random_state=0)
    assert both.mean[0] < 0.5 * alone.mean[0]


def test_frames_weights_and_jobs(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = GaussianNB().fit(frame, y > 0)
    weight = np.random.default_rng(1).uniform(size=300)
    one = shuffled_importance(model, frame, y > 0, sample_weight=weight, random_state=0)
    two = shuffled_importance(model, frame, y > 0, sample_weight=weight, random_state=0, n_jobs=2)
    assert_array_equal(one.importances, two.importances)
    assert one.feature_names == ("a", "b", "c")
    assert one.mean.argmax() == 0
    assert_allclose(one.std, one.importances.std(axis=1, ddof=1))
    assert [t.get_text() for t in one.plot().get_yticklabels()][-1] == "a"


def test_refusals(data):
    X, y = data
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="n_repeats must be at least 2, got 1"):
        shuffled_importance(model, X, y, n_repeats=1)
    with pytest.raises(ValueError, match="level must be a number between 0 and 1"):
        shuffled_importance(model, X, y, random_state=0).interval(1.0)

    def undetermined(model, rows, target):
        return 1.0 if np.array_equal(rows, X) else np.nan

    with pytest.raises(ValueError, match="a score that the shuffled rows determine, got nan"):
        shuffled_importance(model, X, y, scoring=undetermined, random_state=0)
