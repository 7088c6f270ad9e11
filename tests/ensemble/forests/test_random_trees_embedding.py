import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.datasets import make_circles
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

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


@pytest.mark.parametrize("sparse_output", [True, False])
def test_the_encoder_makes_the_same_of_the_leaves(sparse_output, circles):
    X, _ = circles
    model = RandomTreesEmbedding(7, random_state=0, sparse_output=sparse_output)
    codes, leaves = model.fit_transform(X), model.apply(X)
    assert "one_hot_encoder_" not in vars(model)
    expected = OneHotEncoder(sparse_output=sparse_output).fit(leaves)
    again = model.one_hot_encoder_.transform(leaves)
    assert type(codes) is type(again)
    assert codes.dtype == again.dtype
    np.testing.assert_array_equal(np.asarray(dense(codes)), dense(again))
    np.testing.assert_array_equal(dense(codes), dense(expected.transform(leaves)))
    for ours, theirs in zip(model.one_hot_encoder_.categories_, expected.categories_, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


def dense(codes):
    return codes.toarray() if sparse.issparse(codes) else codes


def test_an_encoder_belongs_to_one_fit(circles):
    X, _ = circles
    model = RandomTreesEmbedding(3, random_state=0).fit(X)
    assert model.one_hot_encoder_ is model.one_hot_encoder_
    before = model.one_hot_encoder_
    model.set_params(n_estimators=4).fit(X)
    assert model.one_hot_encoder_ is not before
    assert len(model.one_hot_encoder_.categories_) == 4
    with pytest.raises(AttributeError):
        _ = RandomTreesEmbedding().one_hot_encoder_


def test_leaves_that_no_row_of_the_fit_reached_are_refused(circles):
    X, _ = circles
    model = RandomTreesEmbedding(4, warm_start=True, random_state=0).fit(X)
    few = X[:5]
    model.set_params(n_estimators=5).fit(few)
    codes = model.transform(few)
    assert codes.shape[1] == sum(len(np.unique(leaves)) for leaves in model.apply(few).T)
    with pytest.raises(ValueError, match="unknown categories"):
        model.transform(X)


def test_frames_come_out_where_they_are_asked_for(circles):
    X, _ = circles
    model = RandomTreesEmbedding(3, random_state=0, sparse_output=False)
    table = model.fit_transform(X)
    with config_context(transform_output="pandas"):
        frame = model.fit_transform(X)
        again = model.transform(X)
    assert frame.columns.tolist() == model.get_feature_names_out().tolist()
    np.testing.assert_array_equal(frame.to_numpy(), table)
    np.testing.assert_array_equal(again.to_numpy(), table)
