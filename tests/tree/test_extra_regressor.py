import numpy as np

from margin.tree import ExtraTreeRegressor


def test_random_trees_interpolate_missing_values_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    X[::9, 0] = np.nan
    y = rng.normal(size=100)
    for criterion in ("squared_error", "absolute_error"):
        model = ExtraTreeRegressor(criterion=criterion, random_state=0).fit(X, y)
        np.testing.assert_allclose(model.predict(X), y)
    limited = ExtraTreeRegressor(max_leaf_nodes=8, random_state=0).fit(X, y)
    assert limited.get_n_leaves() == 8
