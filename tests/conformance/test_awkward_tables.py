"""Tables that trees, forests and boosting must answer rightly, or refuse in clear words."""

import json

import numpy as np
import pandas as pd
import pytest

from margin.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    read_trees,
    write_trees,
)
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor

CLASSIFIERS = [
    DecisionTreeClassifier(),
    RandomForestClassifier(8, random_state=0),
    ExtraTreesClassifier(8, random_state=0),
    GradientBoostingClassifier(n_estimators=8, min_samples_leaf=2),
]
REGRESSORS = [
    DecisionTreeRegressor(),
    RandomForestRegressor(8, random_state=0),
    ExtraTreesRegressor(8, random_state=0),
    GradientBoostingRegressor(n_estimators=8, min_samples_leaf=2),
]


def name(model):
    return type(model).__name__


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 3))
    return X, X[:, 0] + 0.1 * rng.normal(size=120)


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_constant_and_empty_columns_are_never_split(model, table):
    X, y = table
    X = np.column_stack([np.full(120, 7.0), X, np.full(120, np.nan)])
    model.fit(X, y)
    forest = getattr(model, "forest_", None) or getattr(model, "tree_", None)
    if forest is not None and hasattr(forest, "feature"):
        assert not {0, 4} & set(np.asarray(forest.feature).tolist())
    np.testing.assert_array_equal(model.predict(X), model.predict(X + np.eye(5)[0]))
    known = X.copy()
    known[:, 4] = 1.0  # never seen in the fit
    np.testing.assert_array_equal(model.predict(X), model.predict(known))


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_nothing_but_constants_predicts_the_mean(model):
    y = np.arange(40.0)
    bootstrap = isinstance(model, RandomForestRegressor)
    answer = model.fit(np.ones((40, 2)), y).predict([[1.0, 1.0], [np.nan, 9.0]])
    np.testing.assert_allclose(answer, y.mean(), rtol=0.15 if bootstrap else 1e-9)
    assert answer[0] == answer[1]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
def test_a_category_nobody_has_seen(model):
    kinds = pd.Series(["a", "b", "c"] * 40, dtype="category")
    frame = pd.DataFrame({"kind": kinds, "x": np.arange(120.0) % 7})
    y = np.where(kinds == "b", "yes", "no")
    model.fit(frame, y)
    assert model.score(frame, y) == 1.0
    other = pd.DataFrame(
        {"kind": pd.Categorical(["zebra", None]), "x": [1.0, 1.0]},
    )
    shares = model.predict_proba(other)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(shares[0], shares[1])  # it goes where missing values go


@pytest.mark.parametrize("model", CLASSIFIERS[:3], ids=name)
def test_one_class(model, table):
    model.fit(table[0], np.full(120, "only"))
    assert set(model.predict(table[0])) == {"only"}
    np.testing.assert_allclose(model.predict_proba(table[0]), 1.0)
    with pytest.raises(ValueError, match="at least 2 classes, got 1 class"):
        CLASSIFIERS[3].fit(table[0], np.full(120, "only"))


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_one_row(model):
    assert model.fit([[1.0, 2.0]], [5.0]).predict([[9.0, np.nan]]) == pytest.approx(5.0)


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_no_weight_at_all_is_refused(model, table):
    with pytest.raises(ValueError, match="weight"):
        model.fit(*table, sample_weight=np.zeros(120))


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_rows_without_weight_are_nowhere(model, table):
    """A wild target without weight leaves no trace in any prediction."""
    X, y = table
    y = np.where(np.arange(120) % 4 == 0, 1e6, y)
    weight = (np.arange(120) % 4 > 0).astype(float)
    answer = model.fit(X, y, sample_weight=weight).predict(X)
    assert np.abs(answer).max() < 10


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_targets_without_a_value_are_refused(model, bad, table):
    X, y = table
    y = y.copy()
    y[5] = bad
    with pytest.raises(ValueError, match=r"(?i)y.*(inf|nan)"):
        model.fit(X, y)


@pytest.mark.parametrize("model", [REGRESSORS[0], REGRESSORS[1], REGRESSORS[3]], ids=name)
def test_weights_beyond_32_bits_are_counted(model, table):
    """Five thousand million of a row weigh as much as they do; whole sums have no rounding."""
    X, y = table[0], np.round(10 * table[1])
    many = np.where(X[:, 0] > 0, 5e9, 1e9)
    large, small = (model.fit(X, y, sample_weight=w).predict(X) for w in (many, many / 1e9))
    np.testing.assert_allclose(large, small, rtol=1e-6, atol=1e-6)


def test_truncated_and_hostile_files(tmp_path, table):
    path = tmp_path / "model.json"
    write_trees(REGRESSORS[3].fit(*table), path)
    text = path.read_text()
    assert read_trees(path).predict(table[0]).shape[0] == 120
    for part in (0, 1, len(text) // 3, len(text) - 2):
        path.write_text(text[:part])
        with pytest.raises(ValueError, match="read_trees"):
            read_trees(path)
    hostile = json.loads(text)
    hostile["forest"]["left"] = [10**9] * len(hostile["forest"]["left"])
    path.write_text(json.dumps(hostile))
    with pytest.raises(ValueError, match="damaged"):
        read_trees(path)
