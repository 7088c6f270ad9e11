import numpy as np
import pytest

from margin.ensemble import ExtraTreesRegressor, RandomForestRegressor


def test_trees_are_estimators():
    X = np.arange(20.0)[:, None]
    model = RandomForestRegressor(4, random_state=0).fit(X, X[:, 0])
    mean = np.mean([tree.predict(X) for tree in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict(X), mean)
    assert [len(rows) for rows in model.estimators_samples_] == [20] * 4


def test_too_few_trees_out_of_the_bag():
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        model = ExtraTreesRegressor(2, bootstrap=True, oob_score=True, random_state=0).fit(
            np.arange(30.0)[:, None], np.arange(30.0)
        )
    assert (model.oob_prediction_ == 0).any()
