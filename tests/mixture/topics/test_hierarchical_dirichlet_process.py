"""A topic model that finds the number of its topics (mixture.18)."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from margin.core import memory
from margin.distributions import Gamma
from margin.mixture import HierarchicalDirichletProcess, sample_documents

MADE = sample_documents(150, 200, n_topics=5, length=80, topic_word_prior=0.05, rng=0)
X = MADE.counts


def fitted(**changes):
    options = {"max_components": 12, "max_iter": 250, "random_state": 0, **changes}
    return HierarchicalDirichletProcess(**options).fit(X)


def test_finds_the_topics():
    """mixture.18: the five topics that made the documents hold nearly all words."""
    model = fitted()
    assert 5 <= model.n_components_ <= 7
    held = (model.components_ - model.topic_word_prior).sum(axis=1) / X.sum()
    assert np.sort(held)[-5:].sum() > 0.97
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    distance = np.abs(phi[:, None] - MADE.topics).sum(axis=2).min(axis=0)
    assert distance.max() < 0.3
    assert_allclose(model.n_components_posterior_.sum(), 1.0)
    assert model.n_components_posterior_.argmax() == model.n_components_
    assert (np.diff(model.topic_weights_) <= 0).all()


def test_held_out():
    test = sample_documents(20, 200, topics=MADE.topics, length=60, rng=5).counts
    model = fitted()
    value = model.held_out_log_likelihood(test).sum() / test.sum()
    assert value > np.log(1 / 200) + 0.7
    share = model.transform(test)
    assert share.shape == (20, model.n_components_)
    assert_allclose(share.sum(axis=1), 1.0)
    assert model.coherence(X, n_words=5)[:4].mean() > 0
    assert len(model.top_words(3)) == model.n_components_
    assert len(model.get_feature_names_out()) == model.n_components_


def test_contract():
    model = fitted(max_iter=10)
    same = clone(model).fit(csr_array(X))
    assert_array_equal(model.components_, same.components_)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert_array_equal(model.transform(X), again.transform(X))
    threads = fitted(max_iter=10, n_jobs=2)
    assert_array_equal(model.components_, threads.components_)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="Negative values"):
        model.fit(-X)
    assert vars(model).keys() == before.keys()
    assert model.components_ is before["components_"]


def test_concentrations():
    assert fitted(alpha=2.0, gamma=3.0, max_iter=5).alpha_ == 2.0
    model = fitted(alpha=Gamma(2.0, 1.0), max_iter=20)
    assert model.alpha_ > 0
    assert model.gamma_ > 0


@pytest.mark.parametrize("table", [np.zeros((2, 3)), [[2, 0, 1]], [[1, 0], [0, 0]]])
def test_degenerate_tables(table):
    model = HierarchicalDirichletProcess(max_components=4, max_iter=5, random_state=0).fit(table)
    assert np.isfinite(model.transform(table)).all()


def test_budget():
    """As many sweeps as there is work for, and the same answer as when they were asked for."""
    words = int(np.sum(X))
    with pytest.warns(ConvergenceWarning, match=r"stopped after 7 of max_iter=30.* raise max_work"):
        model = fitted(max_iter=30, max_work=8 * words - 1)
    assert model.n_iter_ == 7
    assert_array_equal(model.components_, fitted(max_iter=7).components_)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 of max_iter=30"):
        assert fitted(max_iter=30, max_work=1).n_iter_ == 1


def test_refusals():
    for options, words in (
        ({"max_components": 0}, "max_components must be an integer of at least 1, got 0"),
        ({"max_work": 0}, "max_work must be an integer of at least 1, got 0"),
        ({"alpha": -1.0}, "alpha must be a number above 0, got -1.0"),
        ({"gamma": Gamma([1.0, 2.0], 1.0)}, "gamma must be None, a number above 0"),
        ({"topic_word_prior": 0}, "topic_word_prior must be a number above 0, got 0"),
    ):
        with pytest.raises(ValueError, match=f"HierarchicalDirichletProcess: {words}"):
            HierarchicalDirichletProcess(**options).fit(X)
    with pytest.raises(ValueError, match="whole counts"):
        HierarchicalDirichletProcess().fit(X + 0.5)
    with pytest.raises(ValueError, match="n_particles"):
        fitted(max_iter=2).held_out_log_likelihood(X, n_particles=0)


def test_counts_beyond_memory_are_refused_first(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 6 << 30)
    with pytest.raises(MemoryError, match=r"HierarchicalDirichletProcess: .*got 2000000000 words"):
        HierarchicalDirichletProcess().fit(np.full((10, 2), 10**8))
