import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import DataDimensionalityWarning

from margin.decomposition import GaussianRandomProjection, SparseRandomProjection

X = np.random.default_rng(0).normal(size=(20, 60))
both = pytest.mark.parametrize("cls", [GaussianRandomProjection, SparseRandomProjection])


@both
def test_distortion_is_the_worst_pair(cls):
    """decomposition.17: the measured error is that of all pairs written out, within bounds."""
    wide = np.random.default_rng(1).normal(size=(12, 2000))
    model = cls(eps=0.5, random_state=0).fit(wide)
    Z = model.transform(wide)
    i, j = np.triu_indices(12, 1)
    before = ((wide[i] - wide[j]) ** 2).sum(1)
    after = ((Z[i] - Z[j]) ** 2).sum(1)
    worst = np.abs(after / before - 1).max()
    assert model.distortion(wide) == pytest.approx(worst)
    assert worst < 0.5
    assert model.distortion_bound_ == pytest.approx(0.5, abs=0.01)
    assert model.distortion(np.ones((3, 2000))) == 0.0


@both
def test_sparse_rows_and_the_way_back(cls):
    model = cls(10, random_state=0, compute_inverse_components=True).fit(X)
    sparse = model.transform(csr_array(X))
    dense = sparse.toarray() if hasattr(sparse, "toarray") else sparse
    np.testing.assert_allclose(dense, model.transform(X))
    assert model.distortion(csr_array(X)) == pytest.approx(model.distortion(X))
    back = model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(model.transform(back), model.transform(X), atol=1e-10)


@both
def test_no_promise_for_few_directions(cls):
    assert cls(2, random_state=0).fit(X).distortion_bound_ is None
    with pytest.warns(DataDimensionalityWarning, match="60 < 70"):
        cls(70, random_state=0).fit(X)
    with pytest.raises(ValueError, match="larger than the original space with n_features=60"):
        cls().fit(X)
    with pytest.raises(ValueError, match="eps must be below 1"):
        cls(2, eps=1.0).fit(X)
