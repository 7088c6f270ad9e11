"""Frames with categories, in every model of trees."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from margin.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from margin.inspection import tree_shap
from margin.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    export_text,
)

MODELS = [
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    ExtraTreeClassifier(random_state=0),
    ExtraTreeRegressor(random_state=0),
    RandomForestClassifier(20, random_state=0),
    RandomForestRegressor(20, random_state=0),
    ExtraTreesClassifier(20, random_state=0),
    ExtraTreesRegressor(20, random_state=0),
    GradientBoostingClassifier(),
    GradientBoostingRegressor(),
]
NAMES = [type(model).__name__ for model in MODELS]


def table(n=600):
    rng = np.random.default_rng(0)
    town = rng.integers(0, 12, n)
    rich = np.isin(town, [1, 4, 5, 11])
    frame = pd.DataFrame(
        {"size": rng.standard_normal(n), "town": pd.Categorical([f"t{t}" for t in town])}
    )
    return frame, (rich ^ (frame["size"].to_numpy() > 1)).astype(int)


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_frames_with_categories(model):
    frame, y = table()
    fitted = model.fit(frame, y)
    assert fitted.score(frame, y) > 0.9
    assert (fitted.to_trees().forest.categories >= 0).any()
    assert fitted.to_trees().feature_names == ("size", "town")
    coded = fitted.coded_table(frame)
    assert coded.dtype == np.float64
    np.testing.assert_array_equal(np.unique(coded[:, 1]), np.arange(12))
    # The same by numbers of columns, of objects that have no type of their own.
    plain = frame.astype({"town": object}).to_numpy(dtype=object)
    again = type(model)(**{**model.get_params(), "categorical_features": [1]}).fit(plain, y)
    np.testing.assert_array_equal(again.predict(plain), fitted.predict(frame))


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_categories_nobody_has_seen_are_missing(model):
    frame, y = table()
    fitted = model.fit(frame, y)
    new = frame[:5].assign(town=pd.Categorical(["elsewhere"] * 5))
    gone = frame[:5].assign(town=pd.Categorical([None] * 5))
    np.testing.assert_array_equal(fitted.predict(new), fitted.predict(gone))


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_sparse_tables_have_no_categories(model):
    X, y = csr_array(np.eye(40)), np.arange(40) % 2
    model = type(model)(**{**model.get_params(), "categorical_features": [1]})
    with pytest.raises(ValueError, match="X must be dense where columns hold categories"):
        model.fit(X, y)


def test_members_take_the_same_tables():
    frame, y = table()
    rows = frame.to_numpy(dtype=object)  # members know no names of columns, as in scikit-learn
    forest = RandomForestClassifier(5, random_state=0).fit(frame, y)
    mean = np.mean([tree.predict_proba(rows) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(mean, forest.predict_proba(frame))
    boosted = GradientBoostingRegressor(n_estimators=5).fit(frame, y)
    total = sum(0.1 * tree.predict(rows) for tree in boosted.estimators_[:, 0])
    np.testing.assert_allclose(boosted.baseline_[0] + total, boosted.predict(frame))


def test_warm_starts_keep_their_codes():
    frame, y = table()
    forest = RandomForestClassifier(3, random_state=0, warm_start=True).fit(frame, y)
    columns = forest.category_columns_
    later = frame[frame["town"] != "t0"]
    forest.set_params(n_estimators=6).fit(frame, y)
    assert forest.category_columns_ is columns
    assert forest.coded_table(later)[:, 1].min() > 0


def test_rules_name_the_categories():
    frame, y = table()
    text = export_text(DecisionTreeClassifier(max_depth=2).fit(frame, y))
    assert "town in {t" in text


def test_explanations_take_the_same_tables():
    frame, y = table(200)
    forest = RandomForestRegressor(5, random_state=0).fit(frame, y)
    shares = tree_shap(forest, frame[:10])
    np.testing.assert_allclose(
        np.asarray(shares.values).reshape(10, 2).sum(axis=1) + np.ravel(shares.base)[:1],
        forest.predict(frame[:10]),
        atol=1e-12,
    )
