import numpy as np
import pytest

from margin.tree import DecisionTreeRegressor


def test_median_of_a_leaf():
    model = DecisionTreeRegressor(criterion="absolute_error", max_depth=1)
    model.fit([[0], [0], [0], [1]], [1.0, 2.0, 9.0, 100.0])
    np.testing.assert_array_equal(model.predict([[0], [1]]), [2.0, 100.0])


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_strength_of_pruning_by_each_loss(criterion):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 1))
    y = rng.poisson(np.where(X[:, 0] > 0, 6.0, 1.0)).astype(float)
    model = DecisionTreeRegressor(criterion=criterion, ccp_alpha="cv").fit(X, y)
    assert 2 <= model.get_n_leaves() <= 6


def test_column_of_targets_is_one_output():
    model = DecisionTreeRegressor().fit([[0], [1]], [[1.0], [2.0]])
    assert model.predict([[0]]).shape == (1,)
