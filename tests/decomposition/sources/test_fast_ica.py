import numpy as np
import pytest
from sklearn import decomposition

from margin.decomposition import FastICA

T = np.linspace(0, 8, 2000)
S = np.column_stack([np.sin(2 * T), np.sign(np.sin(3 * T)), (T % 1) - 0.5])
A = np.array([[1.0, 1, 1], [0.5, 2, 1], [1.5, 1, 2]])
X = S @ A.T + [5.0, -3.0, 0.0]


def likeness(found):
    return np.abs(np.corrcoef(S.T, found.T)[:3, 3:]).max(axis=1)


@pytest.mark.parametrize("method", ["fixed-point", "infomax"])
@pytest.mark.parametrize("whiten", ["unit-variance", "arbitrary-variance"])
def test_signals_are_separated(method, whiten):
    """decomposition.16: the sources, up to order, sign and scale."""
    model = FastICA(method=method, whiten=whiten, random_state=0, max_iter=1000)
    found = model.fit_transform(X)
    assert likeness(found).min() > 0.99
    np.testing.assert_allclose(model.transform(X), found, atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(found), X, atol=1e-8)
    if whiten == "unit-variance":
        np.testing.assert_allclose(found.std(axis=0), 1)


def test_against_scikit_learn():
    """decomposition.16: from the same start the same rotation as the reference."""
    start = np.random.default_rng(0).normal(size=(3, 3))
    ours = FastICA(w_init=start, tol=1e-10, max_iter=1000).fit(X)
    theirs = decomposition.FastICA(w_init=start, tol=1e-10, max_iter=1000).fit(X)
    order = np.abs(ours.components_ @ theirs.mixing_).argmax(axis=1)
    signs = np.sign((ours.components_ * theirs.components_[order]).sum(axis=1))
    np.testing.assert_allclose(
        ours.components_, signs[:, None] * theirs.components_[order], rtol=1e-4, atol=1e-6
    )


def test_fewer_sources_than_features_and_white_data():
    wide = np.hstack([X, X @ np.ones((3, 2))])
    model = FastICA(3, random_state=0).fit(wide)
    assert model.components_.shape == (3, 5)
    np.testing.assert_allclose(model.inverse_transform(model.transform(wide)), wide, atol=1e-6)
    white = (X - X.mean(0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(X.T))).T
    rotated = FastICA(whiten=False, random_state=0).fit_transform(white)
    assert likeness(rotated).min() > 0.99


def test_single_precision_and_degenerate_tables():
    single = FastICA(random_state=0).fit(X.astype(np.float32))
    assert single.components_.dtype == np.float32
    assert likeness(single.transform(X.astype(np.float32))).min() > 0.99
    flat = np.column_stack([X, np.full(len(X), 2.0)])
    assert np.isfinite(FastICA(random_state=0, max_iter=2000).fit_transform(flat)).all()


def test_bad_input():
    with pytest.raises(ValueError, match="n_components must be at most 3"):
        FastICA(4).fit(X)
    with pytest.raises(ValueError, match="fun must be a callable or one of"):
        FastICA(fun="bent").fit(X)
    with pytest.raises(ValueError, match=r"alpha must be in \[1,2\]"):
        FastICA(fun_args={"alpha": 3}).fit(X)
    with pytest.raises(ValueError, match="w_init must be of shape"):
        FastICA(w_init=np.eye(2)).fit(X)
