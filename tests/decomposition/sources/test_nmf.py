import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning

from margin.decomposition import NMF

RNG = np.random.default_rng(0)
W, H = RNG.random((40, 3)) * (RNG.random((40, 3)) < 0.7), RNG.random((3, 12))
X = W @ H


@pytest.mark.parametrize("k", [2, 3, 5])
def test_no_worse_than_scikit_learn(k):
    """decomposition.15: at the same tolerance at least as small an error."""
    noisy = X + 0.1 * RNG.random(X.shape)
    ours = NMF(k, random_state=0, max_iter=5000).fit(noisy)
    theirs = decomposition.NMF(k, random_state=0, max_iter=5000).fit(noisy)
    assert ours.reconstruction_err_ <= theirs.reconstruction_err_ * 1.01 + 1e-3
    assert ours.components_.min() >= 0


@pytest.mark.parametrize("solver", ["cd", "mu"])
def test_gaps_are_filled(solver):
    """decomposition.15: NaN is left out of the sum, and found again."""
    holes = np.where(RNG.random(X.shape) < 0.15, np.nan, X)
    model = NMF(3, solver=solver, random_state=0, max_iter=20_000, tol=1e-6)
    filled = model.inverse_transform(model.fit_transform(holes))
    assert np.abs(filled - X).max() < 0.1
    again = model.inverse_transform(model.transform(holes))
    np.testing.assert_allclose(again, filled, atol=0.05)


def test_transform_is_exact_and_by_rows():
    model = NMF(3, random_state=0, alpha_W=0.01, l1_ratio=0.5, max_iter=5000).fit(X)
    together = model.transform(X)
    alone = np.vstack([model.transform(row[None]) for row in X])
    np.testing.assert_allclose(alone, together, atol=1e-10)
    slope = (together @ model.components_ - X) @ model.components_.T
    slope += 0.01 * 12 * 0.5 * (1 + together)
    assert slope.min() > -1e-8
    assert np.abs(slope * together).max() < 1e-8


def test_sparse_single_precision_and_custom_start():
    holes = X * (RNG.random(X.shape) < 0.5)
    dense = NMF(3, random_state=0, max_iter=5000).fit(holes)
    sparse = NMF(3, random_state=0, max_iter=5000).fit(csr_array(holes))
    assert sparse.reconstruction_err_ == pytest.approx(dense.reconstruction_err_, rel=1e-4)
    np.testing.assert_allclose(dense.transform(csr_array(holes)), dense.transform(holes))
    single = NMF(3, random_state=0, max_iter=5000).fit_transform(X.astype(np.float32))
    assert single.dtype == np.float32
    start = NMF(init="custom", max_iter=5000)
    start.fit_transform(X, W=W + 0.01, H=H + 0.01)
    assert start.n_components_ == 3


@pytest.mark.parametrize("beta", ["kullback-leibler", "itakura-saito", 0.5, 3])
def test_other_losses_reach_the_reference(beta):
    """decomposition.15: multiplicative updates for any beta divergence."""
    data, settings = X + 0.1, {"solver": "mu", "beta_loss": beta, "random_state": 0}
    ours = NMF(3, max_iter=5000, **settings).fit(data)
    theirs = decomposition.NMF(3, max_iter=5000, **settings).fit(data)
    assert ours.reconstruction_err_ == pytest.approx(theirs.reconstruction_err_, rel=0.05)
    assert np.isfinite(ours.transform(data)).all()


def test_bad_input():
    with pytest.raises(ValueError, match="Negative values"):
        NMF(2).fit(X - 1)
    empty = X.copy()
    empty[:, 3] = np.nan
    with pytest.raises(ValueError, match="NMF: X must be observed somewhere in every column"):
        NMF(2).fit(empty)
    with pytest.raises(ValueError, match="X must be observed somewhere in every row"):
        NMF(2).fit(empty.T)
    with pytest.raises(ValueError, match="solver must be 'mu'"):
        NMF(2, beta_loss=1).fit(X)
    with pytest.raises(ValueError, match="init must be 'random'"):
        NMF(20, init="nndsvd").fit(X)
    with pytest.raises(ValueError, match="H must be given with init='custom'"):
        NMF(2, init="custom").fit_transform(X, W=np.ones((40, 2)))
    with pytest.warns(ConvergenceWarning, match="NMF: stopped after max_iter=1"):
        NMF(2, max_iter=1).fit(X)
    assert NMF(15, random_state=0, max_iter=5000).fit(X[:5]).components_.shape == (15, 12)
