import numpy as np
import pytest
from scipy import sparse

from margin.linear import PassiveAggressiveClassifier, SGDClassifier
from margin.linear.online._stochastic_classifier import StochasticClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 5))
Y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.5, 0.5])]
MODELS = [
    SGDClassifier(learning_rate="constant", eta0=0.05, shuffle=False, tol=None, max_iter=4),
    PassiveAggressiveClassifier(C=0.1, shuffle=False, tol=None, max_iter=4),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("average", [False, True, 50])
def test_epochs_without_tolerance_are_calls_of_partial_fit(model, average):
    assert isinstance(model, StochasticClassifier)
    whole = model.set_params(average=average).fit(X, Y)
    parts = type(model)(**model.get_params())
    for _ in range(4):
        parts.partial_fit(X, Y, classes=["a", "b", "c"])
    np.testing.assert_allclose(parts.coef_, whole.coef_, atol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, atol=1e-12)
    assert parts.t_ == whole.t_
    assert hasattr(whole, "_average_coef") == bool(average)
    if average:
        np.testing.assert_array_equal(whole._average_coef, whole.coef_)
        assert not np.allclose(whole._standard_coef, whole.coef_)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_weights_on_the_validation_rows(model):
    watched = type(model)(early_stopping=True, tol=None, max_iter=3)
    watched.fit(X, Y, sample_weight=np.ones(120))
    with pytest.raises(ValueError, match="sample weights for validation set are all zero"):
        watched.fit(X, Y, sample_weight=np.zeros(120))


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_squares_beyond_the_largest_number_are_refused(storage):
    """The message says what to do, in scikit-learn's words too."""
    big = X.copy()
    big[:, 0] *= 1e300
    with np.errstate(all="raise"), pytest.raises(ValueError, match="under-/overflow occurred at"):
        SGDClassifier().fit(storage(big), Y)


def test_the_validation_rows_are_not_learnt_from():
    """The rows are those of scikit-learn's splitter, and the rest alone gives the same weights."""
    from sklearn.model_selection import StratifiedShuffleSplit

    rules = {"learning_rate": "constant", "tol": None, "max_iter": 5, "shuffle": False}
    watched = SGDClassifier(early_stopping=True, validation_fraction=0.3, random_state=7, **rules)
    split = StratifiedShuffleSplit(n_splits=1, test_size=0.3, random_state=7)
    train = np.sort(next(split.split(X, Y))[0])
    alone = SGDClassifier(**rules).fit(X[train], Y[train])
    np.testing.assert_array_equal(watched.fit(X, Y).coef_, alone.coef_)
