import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor

from margin.ensemble import AdaBoostClassifier, AdaBoostRegressor
from margin.ensemble.members._member_data import member_data, member_table

X, Y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1])


class Owner(BaseEstimator):
    """Whoever asks."""

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True


@pytest.mark.parametrize(
    ("container", "kind"), [(csr_array, "csr"), (csc_array, "csc"), (coo_array, "csr")]
)
def test_sparse_tables_keep_their_order(container, kind):
    owner = Owner()
    table, y, weight = member_data(
        owner, container(X), Y, np.ones(6), target="numeric", missing=False
    )
    assert table.format == kind
    assert y.dtype == np.float64
    np.testing.assert_array_equal(weight, np.ones(6))
    assert member_table(owner, container(X), missing=False).format == kind
    with pytest.raises(ValueError, match="2 features"):
        member_table(owner, container(X[:, :1]), missing=False)


@pytest.mark.parametrize("missing", [False, True])
def test_gaps_are_for_those_who_take_them(missing):
    gaps = csc_array(np.where(X == 3.0, np.nan, X))
    if missing:
        member_data(Owner(), gaps, Y, None, target="classes", missing=True)
    else:
        with pytest.raises(ValueError, match="NaN"):
            member_data(Owner(), gaps, Y, None, target="classes", missing=False)


def test_more_than_two_axes():
    cube = np.random.default_rng(0).standard_normal((30, 3, 3))
    model = AdaBoostClassifier(DummyClassifier(strategy="most_frequent"))
    labels = (np.arange(30) % 3 == 0).astype(int)
    assert model.fit(cube, labels).predict_proba(cube).shape == (30, 2)
    assert AdaBoostRegressor(DummyRegressor()).fit(cube, labels).predict(cube).shape == (30,)
