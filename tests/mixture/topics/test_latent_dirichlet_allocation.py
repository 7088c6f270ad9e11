"""Latent Dirichlet allocation (mixture.18)."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from sklearn.decomposition import LatentDirichletAllocation as Reference
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from margin.mixture import LatentDirichletAllocation, sample_documents

MADE = sample_documents(300, 25, topics=None, n_topics=4, length=60, rng=0)
X = MADE.counts
METHODS = ("batch", "online", "gibbs", "parallel_gibbs")


def bars():
    """Ten topics, the rows and columns of a square of 25 words."""
    square = np.zeros((10, 5, 5))
    for i in range(5):
        square[i, i], square[5 + i, :, i] = 0.2, 0.2
    return square.reshape(10, 25)


@pytest.mark.parametrize("method", ["gibbs", "parallel_gibbs", "online"])
def test_bars(method):
    """mixture.18: the topics that documents were made of are found."""
    made = sample_documents(400, 25, topics=bars(), doc_topic_prior=0.1, length=80, rng=1)
    sweeps = 20 if method == "online" else 150
    model = LatentDirichletAllocation(
        10,
        doc_topic_prior=0.1,
        topic_word_prior=0.1,
        learning_method=method,
        max_iter=sweeps,
        random_state=0,
    ).fit(made.counts)
    found = model.components_ / model.components_.sum(axis=1, keepdims=True)
    distance = np.abs(found[:, None] - bars()).sum(axis=2)
    pairs = linear_sum_assignment(distance)
    assert np.sort(distance[pairs])[:7].max() < 0.3


@pytest.mark.parametrize("method", ["batch", "online"])
def test_equals_scikit_learn(method):
    """The same topics, to the digits of the inner iterations."""
    settings = {"learning_method": method, "max_iter": 5, "random_state": 3}
    settings |= {"mean_change_tol": 1e-8, "max_doc_update_iter": 500}
    ours, theirs = (m(4, **settings).fit(X) for m in (LatentDirichletAllocation, Reference))
    assert_allclose(ours.components_, theirs.components_, rtol=1e-4)
    assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-3)
    assert_allclose(ours.perplexity(X), theirs.perplexity(X), rtol=1e-6)
    assert_allclose(ours.score(X), theirs.score(X), rtol=1e-6)
    assert_allclose(ours.perplexity(X, True), theirs.perplexity(X, True), rtol=1e-6)
    assert ours.n_batch_iter_ == theirs.n_batch_iter_


def test_partial_fit_equals_scikit_learn():
    models = [
        m(4, random_state=0, total_samples=600) for m in (LatentDirichletAllocation, Reference)
    ]
    for model in models:
        model.partial_fit(X[:150]).partial_fit(X[150:])
    assert_allclose(models[0].components_, models[1].components_, rtol=1e-2)


@pytest.mark.parametrize("method", METHODS)
def test_threads_and_seeds(method):
    """The same answer for any number of threads, and for the same seed."""
    settings = {"learning_method": method, "max_iter": 10, "random_state": 1}
    one, two, again = (LatentDirichletAllocation(4, n_jobs=n, **settings).fit(X) for n in (1, 2, 1))
    assert_array_equal(one.components_, two.components_)
    assert_array_equal(one.components_, again.components_)
    assert_array_equal(one.held_out_log_likelihood(X[:5]), two.held_out_log_likelihood(X[:5]))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_sparse_is_dense(method, dtype):
    settings = {"learning_method": method, "max_iter": 5, "random_state": 0}
    dense = LatentDirichletAllocation(3, **settings).fit(X.astype(dtype))
    sparse = LatentDirichletAllocation(3, **settings).fit(csr_array(X.astype(dtype)))
    assert_allclose(dense.components_, sparse.components_)
    assert dense.transform(X).dtype == dense.components_.dtype


def test_held_out_prefers_the_truth():
    """Left to right, the topics that made the documents beat those of a short fit."""
    test = sample_documents(40, 25, topics=MADE.topics, length=60, rng=9).counts
    long, short = (
        LatentDirichletAllocation(
            4, learning_method="gibbs", max_iter=n, doc_topic_prior=0.1, random_state=0
        ).fit(X)
        for n in (150, 1)
    )
    assert long.held_out_log_likelihood(test).sum() > short.held_out_log_likelihood(test).sum()
    assert long.held_out_log_likelihood(test).shape == (40,)
    bound = -np.log(long.perplexity(test)) * test.sum()
    assert bound < long.held_out_log_likelihood(test).sum()


def test_words_and_coherence():
    names = [f"w{j}" for j in range(25)]
    model = LatentDirichletAllocation(4, random_state=0).fit(pd.DataFrame(X, columns=names))
    words = model.top_words(3)
    assert len(words) == 4
    assert all(w in names for row in words for w in row)
    assert words[0][0] == names[model.components_[0].argmax()]
    assert model.top_words(1, range(25))[0] == [int(model.components_[0].argmax())]
    coherence = model.coherence(pd.DataFrame(X, columns=names))
    assert ((coherence >= -1) & (coherence <= 1)).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "table",
    [
        np.zeros((3, 4)),
        np.array([[0, 0, 0], [2, 1, 0]]),
        np.array([[3, 0, 1]]),
        np.array([[5.0], [2.0]]),
    ],
    ids=["no words", "an empty document and column", "one document", "one word"],
)
def test_degenerate_tables(method, table):
    """More topics than words, too; an empty document has the proportions of the prior."""
    model = LatentDirichletAllocation(5, learning_method=method, random_state=0).fit(table)
    share = model.transform(table)
    assert_allclose(share.sum(axis=1), 1.0)
    assert np.isfinite(model.bound_)
    assert_allclose(model.transform(np.zeros((1, table.shape[1]))), 0.2)
    assert model.held_out_log_likelihood(np.zeros((1, table.shape[1])))[0] == 0.0


def test_refusals():
    model = LatentDirichletAllocation
    for options, words in (
        ({"n_components": 0}, "n_components must be an integer of at least 1, got 0"),
        ({"doc_topic_prior": -1}, "doc_topic_prior must be a number above 0, got -1"),
        ({"learning_method": "em"}, "learning_method must be one of .* got 'em'"),
        ({"learning_offset": 0.5}, "learning_offset must be a number of at least 1, got 0.5"),
        ({"max_iter": -1}, "max_iter must be an integer of at least 0, got -1"),
    ):
        with pytest.raises(ValueError, match=f"LatentDirichletAllocation: {words}"):
            model(**options).fit(X)
    with pytest.raises(ValueError, match="Negative values"):
        model().fit(-X)
    with pytest.raises(ValueError, match="NaN"):
        model().fit(np.array([[np.nan, 1.0]]))
    with pytest.raises(ValueError, match="whole counts"):
        model(learning_method="gibbs").fit(X + 0.5)
    fitted = model(2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="X must be documents with at least one word"):
        fitted.perplexity(0 * X)
    with pytest.raises(ValueError, match="n_particles must be"):
        fitted.held_out_log_likelihood(X, n_particles=0)
    with pytest.raises(NotFittedError):
        model().coherence(X)


def test_cut_short_by_perplexity_is_told(capsys):
    with pytest.warns(ConvergenceWarning, match="stopped after max_iter=2 passes"):
        LatentDirichletAllocation(
            4, evaluate_every=1, perp_tol=0.0, max_iter=2, verbose=1, random_state=0
        ).fit(X)
    assert "iteration: 2 of max_iter: 2, perplexity: " in capsys.readouterr().out


def test_batches_leave_a_report_and_a_bound():
    """The perplexity met on the way falls, and that of documents which stand for themselves is
    what the fitted topics say of them."""
    model = LatentDirichletAllocation(4, total_samples=len(X), batch_size=len(X), random_state=0)
    seen = [model.partial_fit(X).bound_ for _ in range(12)]
    assert seen[-1] < seen[0]
    assert model.fit_report_.n_iter == 12
    assert_allclose(np.log(model.bound_), model.fit_report_.objective)
    assert_allclose(model.bound_, model.perplexity(X), rtol=0.02)
    part = LatentDirichletAllocation(4, total_samples=3000, random_state=0).partial_fit(X)
    assert np.isfinite(part.bound_)
