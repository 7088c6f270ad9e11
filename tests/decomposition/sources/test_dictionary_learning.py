import numpy as np
import pytest
from sklearn import decomposition

from margin.decomposition import DictionaryLearning

RNG = np.random.default_rng(0)
ATOMS = RNG.normal(size=(4, 10))
ATOMS /= np.linalg.norm(ATOMS, axis=1, keepdims=True)
CODES = 3 * RNG.normal(size=(200, 4)) * (RNG.random((200, 4)) < 0.3)
X = CODES @ ATOMS


def test_true_atoms_are_found():
    """decomposition.15: sparse codes make the factors unique, up to order and sign."""
    model = DictionaryLearning(4, alpha=0.1, random_state=0).fit(X)
    likeness = np.abs(model.components_ @ ATOMS.T)
    likeness /= np.linalg.norm(model.components_, axis=1, keepdims=True)
    assert likeness.max(axis=0).min() > 0.98


@pytest.mark.filterwarnings("ignore:Objective did not converge")
@pytest.mark.parametrize("k", [4, 15])
def test_no_worse_than_scikit_learn(k):
    """decomposition.15: also for more atoms than features."""
    data = X + 0.05 * RNG.normal(size=X.shape)
    settings = {"alpha": 0.3, "random_state": 0, "max_iter": 300}
    ours = DictionaryLearning(k, **settings, tol=1e-6).fit(data)
    theirs = decomposition.DictionaryLearning(k, **settings, fit_algorithm="cd").fit(data)
    assert ours.error_[-1] <= 1.05 * theirs.error_[-1]
    assert ours.components_.shape == (k, 10)


def test_codes_rows_and_callbacks():
    seen = []
    model = DictionaryLearning(
        4, alpha=0.1, random_state=0, callback=seen.append, transform_algorithm="lasso_cd"
    )
    codes = model.fit_transform(X)
    np.testing.assert_allclose(codes, model.transform(X))
    assert np.abs(model.inverse_transform(codes) - X).mean() < 0.1
    assert set(seen[0]) == {"dictionary", "code"}
    held = DictionaryLearning(
        4,
        fit_algorithm="cd",
        positive_code=True,
        positive_dict=True,
        random_state=0,
        transform_algorithm="lasso_cd",
    ).fit(np.abs(X))
    assert held.components_.min() >= 0
    assert held.transform(np.abs(X)).min() >= 0


def test_a_sparse_basis():
    """decomposition.15: a price of the entries of atoms makes most of them zero."""
    atoms = np.kron(np.eye(4), np.ones((1, 3))) / np.sqrt(3)
    data = CODES @ atoms + 0.05 * RNG.normal(size=(200, 12))
    plain = DictionaryLearning(4, alpha=0.1, random_state=0, tol=1e-6).fit(data)
    held = DictionaryLearning(4, alpha=0.1, dict_alpha=5.0, random_state=0, tol=1e-6).fit(data)
    assert np.mean(plain.components_ == 0) < 0.1
    assert np.mean(held.components_ == 0) > 0.6
    likeness = np.abs(held.components_ @ atoms.T).max(axis=0)
    assert likeness.min() > 0.95


def test_bad_input():
    with pytest.raises(ValueError, match="dict_init must be of shape"):
        DictionaryLearning(4, dict_init=np.eye(3)).fit(X)
    with pytest.raises(ValueError, match="Positive constraint not supported for 'lars'"):
        DictionaryLearning(4, positive_code=True, transform_algorithm="lasso_cd").fit(X)
