import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from margin.core import memory
from margin.sequence import MarkovChain, MarkovChainMixture


def two_kinds(n=40, length=60):
    calm, wild = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.2, 0.8], [0.8, 0.2]])
    walks = [
        MarkovChain.of(A).sample(1, length + i, random_state=i)[0]
        for i, A in enumerate([calm, wild] * (n // 2))
    ]
    return walks, np.tile([0, 1], n // 2)


def test_finds_the_clusters():
    """sequence.05: sequences that move alike are one cluster; the likelihood never falls."""
    walks, truth = two_kinds()
    model = MarkovChainMixture(2, random_state=0).fit(walks)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-9
    np.testing.assert_array_equal(model.predict(walks), model.labels_)
    np.testing.assert_allclose(model.predict_proba(walks).sum(axis=1), 1.0)
    drawn, which = model.sample(30, 50, random_state=1)
    assert adjusted_rand_score(which, model.predict(drawn)) > 0.8


def test_one_component_is_counting():
    """sequence.05: H = 1."""
    walks, _ = two_kinds(6)
    model, chain = MarkovChainMixture(1).fit(walks), MarkovChain().fit(walks)
    np.testing.assert_allclose(model.transition_[0], chain.transition_, atol=1e-12)
    np.testing.assert_allclose(model.log_prob(walks), chain.log_prob(walks))
    assert model.score(walks) == pytest.approx(chain.score(walks))


def test_gaps_weights_and_more_components_than_sequences():
    walks, truth = two_kinds(20)
    holes = [
        np.where(np.random.default_rng(i).random(len(w)) < 0.2, np.nan, w)
        for i, w in enumerate(walks)
    ]
    model = MarkovChainMixture(2, random_state=0).fit(holes)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    heavy = MarkovChainMixture(2, random_state=0, n_init=3).fit(
        walks, sample_weight=np.full(20, 3.0)
    )
    light = MarkovChainMixture(2, random_state=0, n_init=3).fit(walks)
    np.testing.assert_allclose(heavy.transition_, light.transition_)
    few = MarkovChainMixture(5, prior=1.1, random_state=0).fit(walks[:2])
    assert np.isfinite(few.score(walks[:2]))


@pytest.mark.parametrize("settings", [{"n_components": 0}, {"prior": 0.0}, {"tol": -1.0}])
def test_refusals(settings):
    with pytest.raises(ValueError, match="MarkovChainMixture: "):
        MarkovChainMixture(**settings).fit([[0, 1]])


def test_impossible_sequences():
    model = MarkovChainMixture(1, n_states=3).fit([[0, 1, 0]])
    assert model.log_prob([[2]])[0] == -np.inf
    np.testing.assert_array_equal(model.predict_proba([[2]]), [[1.0]])


def test_states_beyond_memory_are_refused_first(monkeypatch):
    with pytest.raises(MemoryError, match=r"MarkovChainMixture: X must be states 0, 1, … .*unique"):
        MarkovChainMixture().fit([[0, 100_000_003]])
    monkeypatch.setattr(memory, "available", lambda: 100_000)
    with pytest.raises(MemoryError, match="got 49, and 2 tables of 50 states need"):
        MarkovChainMixture(2).fit([[0, 49]])
    MarkovChainMixture(2, n_states=9).fit([[0, 1]])
