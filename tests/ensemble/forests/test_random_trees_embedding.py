import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_circles
from sklearn.linear_model import LogisticRegression

from margin.ensemble import RandomTreesEmbedding


@pytest.fixture
def circles():
    return make_circles(300, factor=0.5, noise=0.05, random_state=0)


def test_every_row_reaches_one_leaf_of_each_tree(circles):
    X, _ = circles
    model = RandomTreesEmbedding(20, random_state=0)
    codes = model.fit_transform(X)
    assert sparse.issparse(codes)
    assert codes.shape == (300, model.forest_.n_leaves.sum())
    assert (codes.sum(axis=1) == 20).all()
    np.testing.assert_array_equal(codes.toarray(), model.transform(X).toarray())
    assert (model.forest_.depths <= 5).all()


def test_products_count_the_trees_that_do_not_tell_rows_apart(circles):
    X, _ = circles
    model = RandomTreesEmbedding(20, random_state=0, sparse_output=False).fit(X)
    codes = model.transform(X[:40])
    np.testing.assert_allclose(codes @ codes.T / 20, model.proximity(X[:40]))


def test_circles_become_linear(circles):
    X, y = circles
    codes = RandomTreesEmbedding(30, random_state=0).fit_transform(X)
    assert LogisticRegression().fit(X, y).score(X, y) < 0.7
    assert LogisticRegression().fit(codes, y).score(codes, y) > 0.98


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_seeds_decide_alone(n_jobs, circles):
    X, _ = circles
    first = RandomTreesEmbedding(10, random_state=3, n_jobs=n_jobs).fit_transform(X)
    again = RandomTreesEmbedding(10, random_state=3).fit_transform(sparse.csr_matrix(X))
    np.testing.assert_array_equal(first.toarray(), again.toarray())


def test_trees_are_added(circles):
    X, _ = circles
    model = RandomTreesEmbedding(4, warm_start=True, random_state=0).fit(X)
    thresholds = model.forest_.threshold
    model.set_params(n_estimators=9).fit(X)
    whole = RandomTreesEmbedding(9, random_state=0).fit(X)
    np.testing.assert_array_equal(model.forest_.threshold[: len(thresholds)], thresholds)
    np.testing.assert_array_equal(model.forest_.threshold, whole.forest_.threshold)


def test_names_tell_trees_and_leaves(circles):
    X, _ = circles
    model = RandomTreesEmbedding(2, max_depth=1, random_state=0).fit(X)
    np.testing.assert_array_equal(
        model.get_feature_names_out(),
        [f"randomtreesembedding_{t}_{k}" for t in (0, 1) for k in (1, 2)],
    )
    with pytest.raises(ValueError, match="input_features"):
        model.get_feature_names_out(["a"])


def test_bad_parameters_are_named(circles):
    with pytest.raises(ValueError, match="RandomTreesEmbedding: sparse_output must be"):
        RandomTreesEmbedding(sparse_output="yes").fit(circles[0])
