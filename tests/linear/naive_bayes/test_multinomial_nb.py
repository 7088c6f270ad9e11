import numpy as np
import pytest
from scipy import sparse
from scipy.special import gammaln
from sklearn import naive_bayes as peer

from margin.linear import MultinomialNB


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=80)
    rates = rng.random((3, 12)) * 2
    return rng.poisson(rates[y]).astype(float), y


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.1},
        {"alpha": np.linspace(0.1, 1.2, 12)},
        {"fit_prior": False},
        {"class_prior": [0.2, 0.3, 0.5]},
        {"alpha": 1e-12, "force_alpha": False},
    ],
)
def test_agrees_with_scikit_learn(documents, storage, options):
    """linear.45"""
    X, y = storage(documents[0]), documents[1]
    weight = np.random.default_rng(1).random(len(y))
    with np.errstate(all="ignore"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *args, **kwargs: None)
        theirs = peer.MultinomialNB(**options).fit(X, y, weight)
        ours = MultinomialNB(**options).fit(X, y, weight)
    for name in ("feature_count_", "feature_log_prob_", "class_count_", "class_log_prior_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_batches_add_up_to_the_whole(documents):
    X, y = documents
    whole, parts = MultinomialNB().fit(X, y), MultinomialNB()
    for rows in np.array_split(np.arange(len(y)), 5):
        parts.partial_fit(sparse.csr_array(X[rows]), y[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.feature_log_prob_, whole.feature_log_prob_, rtol=1e-12)
    np.testing.assert_allclose(parts.class_log_prior_, whole.class_log_prior_, rtol=1e-12)


def test_the_scores_are_linear_in_the_counts(documents):
    """linear.45: coefficients log theta, constants log prior; the order of words is lost."""
    X, y = documents
    model = MultinomialNB().fit(X, y)
    scores = X @ model.feature_log_prob_.T + model.class_log_prior_
    np.testing.assert_allclose(model.log_joint(X), scores, rtol=1e-12)
    words = np.repeat(np.arange(12), X[0].astype(int))
    theta, prior = np.exp(model.feature_log_prob_), np.exp(model.class_log_prior_)
    product = prior * np.prod(theta[:, np.random.default_rng(0).permutation(words)], axis=1)
    np.testing.assert_allclose(model.predict_proba(X[:1])[0], product / product.sum(), rtol=1e-10)
    long = model.predict_log_proba(X[:1] * 1e6)
    assert np.isfinite(long).all()


def test_objective_is_the_mean_negative_log_joint(documents):
    X, y = documents
    for alpha in (1.0, 0.0):
        model = MultinomialNB(alpha=alpha).fit(X, y)
        own = model.log_joint(X)[np.arange(len(y)), y]
        assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-10)


def test_bayes_is_the_ratio_of_evidences(documents):
    """The predictive of a document is p(all documents with it) / p(all without it)."""
    X, y = documents
    model = MultinomialNB(alpha=0.4, estimate="bayes").fit(X, y)
    counts = np.stack([X[y == k].sum(axis=0) for k in range(3)])

    def evidence(n):
        return (
            gammaln(0.4 * 12)
            - gammaln(0.4 * 12 + n.sum())
            + (gammaln(0.4 + n) - gammaln(0.4)).sum()
        )

    expected = [evidence(counts[k] + X[0]) - evidence(counts[k]) for k in range(3)]
    np.testing.assert_allclose(
        model.log_joint(X[:1])[0] - model.class_log_prior_, expected, rtol=1e-9
    )
    one = np.eye(12)[:3]
    plain = MultinomialNB(alpha=0.4).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(one), plain.predict_proba(one), rtol=1e-9)
    with pytest.raises(ValueError, match="alpha must be above 0 with estimate"):
        MultinomialNB(alpha=0.0, estimate="bayes").fit(X, y)


def test_words_never_seen_leave_the_other_classes(documents):
    model = MultinomialNB(alpha=0.0).fit([[1, 0], [1, 1]], ["a", "b"])
    assert model.feature_log_prob_[0, 1] == -np.inf
    np.testing.assert_allclose(model.predict_proba([[0, 1]]), [[0.0, 1.0]], atol=1e-200)
    assert MultinomialNB(alpha=0.0).fit([[0, 0], [1, 1]], [0, 1]).feature_log_prob_[
        0
    ] == pytest.approx(np.log(0.5))


def test_sampling_reproduces_the_model(documents):
    model = MultinomialNB(alpha=0.1).fit(*documents)
    drawn, labels = model.sample(20_000, random_state=0)
    again = MultinomialNB(alpha=0.1).fit(drawn, labels)
    np.testing.assert_allclose(
        np.exp(again.feature_log_prob_), np.exp(model.feature_log_prob_), atol=0.01
    )
    assert drawn.sum(axis=1).mean() == pytest.approx(documents[0].sum(axis=1).mean(), rel=0.05)


def test_refuses_negative_counts_and_bad_parameters(documents):
    X, y = documents
    with pytest.raises(ValueError, match="MultinomialNB: X must be at least 0 everywhere, got -1"):
        MultinomialNB().fit(X - 1, y)
    with pytest.raises(ValueError, match="Negative values in data"):
        MultinomialNB().fit(sparse.csr_array(X - 1), y)
    for value in (np.nan, np.inf, -np.inf):
        for storage in (np.asarray, sparse.csr_array):
            spoilt = X.copy()
            spoilt[3, 2] = value
            with pytest.raises(ValueError, match="Input X contains"):
                MultinomialNB().fit(storage(spoilt), y, sample_weight=np.arange(80) * 1.0)
            with pytest.raises(ValueError, match="Input X contains"):
                MultinomialNB().fit(X, y).predict(storage(spoilt))
    for alpha in (-1.0, [1.0], "much"):
        with pytest.raises(ValueError, match="alpha must be a number of at least 0, or 12 of them"):
            MultinomialNB(alpha=alpha).fit(X, y)
    with pytest.raises(ValueError, match="class_prior must be"):
        MultinomialNB(class_prior=[1.0]).fit(X, y)
