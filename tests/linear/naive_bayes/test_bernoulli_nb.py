import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes as peer

from margin.linear import BernoulliNB


@pytest.fixture
def flags():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=80)
    return (rng.random((80, 9)) < rng.random((3, 9))[y]).astype(float), y


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.3, "fit_prior": False},
        {"alpha": 0.1, "class_prior": [0.2, 0.3, 0.5]},
        {"binarize": None},
        {"binarize": 0.7},
    ],
)
def test_agrees_with_scikit_learn(flags, storage, options):
    """linear.46"""
    X, y = flags
    if options.get("binarize", 0.0) is not None:
        X = X * np.random.default_rng(3).random(X.shape)
    X, weight = storage(X), np.random.default_rng(1).random(len(y))
    ours = BernoulliNB(**options).fit(X, y, weight)
    theirs = peer.BernoulliNB(**options).fit(X, y, weight)
    for name in ("feature_count_", "feature_log_prob_", "class_count_", "class_log_prior_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_missing_values_are_summed_out(flags):
    """The sum over both values of a hidden column, and frequencies of what was seen."""
    X, y = flags
    model = BernoulliNB().fit(X, y)
    hidden = X[:5].copy()
    hidden[:, 2] = np.nan
    both = np.zeros((5, 3))
    for value in (0.0, 1.0):
        shown = hidden.copy()
        shown[:, 2] = value
        both += np.exp(model.log_joint(shown))
    np.testing.assert_allclose(np.exp(model.log_joint(hidden)), both, rtol=1e-10)
    holes = np.where(np.random.default_rng(2).random(X.shape) < 0.3, np.nan, X)
    theta = np.exp(BernoulliNB(alpha=0.5).fit(holes, y).feature_log_prob_)
    ones = np.stack([np.nansum(holes[y == k], axis=0) for k in range(3)])
    seen = np.stack([(~np.isnan(holes[y == k])).sum(axis=0) for k in range(3)])
    np.testing.assert_allclose(theta, (ones + 0.5) / (seen + 1.0), rtol=1e-12)


def test_a_smoothing_for_each_column(flags):
    """scikit-learn documents this and fails on it."""
    X, y = flags
    alpha = np.linspace(0.1, 1, 9)
    theta = np.exp(BernoulliNB(alpha=alpha).fit(X, y).feature_log_prob_[0])
    np.testing.assert_allclose(
        theta, (X[y == 0].sum(axis=0) + alpha) / (np.sum(y == 0) + 2 * alpha), rtol=1e-12
    )


def test_batches_add_up_to_the_whole(flags):
    X, y = flags
    X = np.where(np.random.default_rng(2).random(X.shape) < 0.3, np.nan, X)
    whole, parts = BernoulliNB().fit(X, y), BernoulliNB()
    for rows in np.array_split(np.arange(len(y)), 5):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-10)


def test_objective_and_sampling(flags):
    X, y = flags
    model = BernoulliNB().fit(X, y)
    own = model.log_joint(X)[np.arange(len(y)), y]
    assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-10)
    drawn, labels = model.sample(20_000, random_state=0)
    again = BernoulliNB().fit(drawn, labels)
    np.testing.assert_allclose(
        np.exp(again.feature_log_prob_), np.exp(model.feature_log_prob_), atol=0.02
    )


def test_without_smoothing_the_impossible_is_comparable():
    model = BernoulliNB(alpha=0.0).fit([[1, 1], [1, 0], [0, 0]], ["a", "a", "b"])
    assert model.predict([[1, 1]]).tolist() == ["a"]
    assert np.isfinite(model.log_joint([[0, 1]])).all()


def test_refuses_what_is_no_flag():
    with pytest.raises(ValueError, match="X must be 0 or 1 when binarize is None"):
        BernoulliNB(binarize=None).fit([[2.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="X must be 0 or 1 when binarize is None"):
        BernoulliNB(binarize=None).fit(sparse.csr_array([[2.0], [1.0]]), [0, 1])
    with pytest.raises(ValueError, match="binarize must be at least 0 for sparse input, got -1"):
        BernoulliNB(binarize=-1.0).fit(sparse.csr_array([[2.0], [1.0]]), [0, 1])
