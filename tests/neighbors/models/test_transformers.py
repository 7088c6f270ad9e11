"""Graphs as steps of a pipeline (neighbors.01)."""

import numpy as np
import pytest
import sklearn.neighbors as reference
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.neighbors import (
    KNeighborsClassifier,
    KNeighborsTransformer,
    RadiusNeighborsTransformer,
)

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(60, 3)), RNG.normal(size=(9, 3))
Y = (X[:, 0] > 0).astype(int)


@parametrize_with_checks([KNeighborsTransformer(), RadiusNeighborsTransformer()])
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
def test_against_scikit_learn(mode):
    for name in ("KNeighborsTransformer", "RadiusNeighborsTransformer"):
        ours = {"KNeighborsTransformer": KNeighborsTransformer}.get(
            name, RadiusNeighborsTransformer
        )(mode=mode)
        theirs = getattr(reference, name)(mode=mode)
        assert_allclose(ours.fit_transform(X).toarray(), theirs.fit_transform(X).toarray())
        assert_allclose(ours.transform(Q).toarray(), theirs.transform(Q).toarray())
        assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())


def test_in_a_pipeline():
    graph = KNeighborsTransformer(n_neighbors=10)
    model = make_pipeline(graph, KNeighborsClassifier(5, metric="precomputed")).fit(X, Y)
    assert_array_equal(model.predict(Q), KNeighborsClassifier(5).fit(X, Y).predict(Q))
