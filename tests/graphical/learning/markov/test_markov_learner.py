"""The estimator of potentials: graphical.22 to graphical.27 behind one door."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from margin.graphical import MarkovLearner, MarkovNetwork
from margin.graphical.learning.markov import _markov_learner

RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (300, 3))
X[:, 1] = X[:, 0] ^ (RNG.random(300) < 0.2)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"]).replace({0: "no", 1: "yes"})


@pytest.mark.parametrize("method", ["auto", "gradient", "ipf", "em", "pseudo-likelihood"])
def test_probabilities_sum_to_one_and_near_the_data(method):
    model = MarkovLearner(method=method).fit(X)
    states = np.array(list(product([0, 1], repeat=3)))
    p = np.exp(model.log_prob(states))
    assert p.sum() == pytest.approx(1.0)
    shown = np.array([(s == X).all(axis=1).mean() for s in states])
    np.testing.assert_allclose(p, shown, atol=0.05)
    assert model.fit_report_.status.ok


def test_contrastive_divergence():
    model = MarkovLearner(method="contrastive-divergence", max_iter=300, random_state=0).fit(X)
    best = MarkovLearner().fit(X)
    assert model.log_prob(X).mean() == pytest.approx(best.log_prob(X).mean(), abs=0.02)


def test_frames_names_and_features():
    pair = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    model = MarkovLearner(cliques=[("a", "b"), ("c",)], features={("a", "b"): pair}).fit(FRAME)
    assert model.states_["a"] == ("no", "yes")
    table = model.tables_["a", "b"]
    assert table[0, 0] == pytest.approx(table[1, 1])
    agree = (FRAME["a"] == FRAME["b"]).mean()
    assert table[0, 0] / (table[0, 0] + table[0, 1]) == pytest.approx(agree, abs=1e-4)
    assert list(model.feature_names_in_) == ["a", "b", "c"]


def test_a_latent_variable_raises_the_likelihood():
    rng = np.random.default_rng(1)
    h = rng.random(400) < 0.5
    Y = (h[:, None] ^ (rng.random((400, 3)) < 0.15)).astype(int)
    pairs = [(j, "h") for j in range(3)]
    hidden = MarkovLearner(cliques=pairs, latent={"h": [0, 1]}, max_iter=3000, random_state=0)
    alone = MarkovLearner(cliques=[(0,), (1,), (2,)]).fit(Y)
    assert hidden.fit(Y).log_prob(Y).mean() > alone.log_prob(Y).mean() + 0.2


def test_unknown_values():
    holes = FRAME.mask(np.random.default_rng(2).random(FRAME.shape) < 0.2)
    for method in ("auto", "gradient", "pseudo-likelihood"):
        model = MarkovLearner(method=method, max_iter=3000).fit(holes)
        full = MarkovLearner().fit(FRAME)
        found = model.log_prob(FRAME).mean()
        assert found == pytest.approx(full.log_prob(FRAME).mean(), abs=0.03)
    assert np.isfinite(model.log_prob(holes)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cliques": [("a", "q")]}, "cliques must be groups"),
        ({"cliques": [("a", "a")]}, "cliques must be groups"),
        ({"features": {("a", "b"): np.ones((1, 3, 2))}}, "features must be"),
        ({"method": "ipf", "alpha": 1.0}, "method must be another"),
        ({"method": "mcmc"}, "method must be one of"),
        ({"alpha": -1.0}, "alpha must be"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=f"MarkovLearner: {message}"):
        MarkovLearner(**options).fit(FRAME)


def test_contract():
    model = clone(MarkovLearner(tol=1e-5)).fit(X)
    before = model._tables
    with pytest.raises(ValueError, match="MarkovLearner"):
        model.fit(np.zeros((0, 2)))
    assert model._tables is before


def test_pseudo_likelihood_of_a_graph_too_wide_for_inference():
    wide = np.random.default_rng(3).integers(0, 2, (20, 40))
    model = MarkovLearner(method="pseudo-likelihood", alpha=0.1, tol=1e-3).fit(wide)
    assert model.log_partition_ is None
    with pytest.raises(MemoryError, match="MarkovLearner: log_prob needs the partition function"):
        model.log_prob(wide)
    assert len(model.tables_) == 780


def test_the_model_answers_questions():
    """model_ is a network: its answers are those of the table of all states (graphical.22)."""
    learner = MarkovLearner(cliques=[("a", "b"), ("b", "c")]).fit(FRAME)
    model = learner.model_
    assert isinstance(model, MarkovNetwork)
    words = ["no", "yes"]
    rows = pd.DataFrame(list(product(words, repeat=3)), columns=["a", "b", "c"])
    joint = np.exp(learner.log_prob(rows)).reshape(2, 2, 2)
    np.testing.assert_allclose(model.log_prob(rows), learner.log_prob(rows), rtol=1e-10)
    given = joint[:, :, 1] / joint[:, :, 1].sum()
    answer = model.query(["a", "b"], {"c": "yes"}).values
    np.testing.assert_allclose(answer, given, rtol=1e-10)
    assert model.states == learner.states_
    assert model.log_partition == pytest.approx(learner.log_partition_)
    hidden = MarkovLearner(cliques=[("a", "h"), ("b", "h")], latent={"h": [0, 1]}, max_iter=5000)
    assert hidden.fit(FRAME).model_.marginals()["h"].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["ipf", "gradient", "em"])
def test_large_cliques_have_an_end(method):
    """Twelve states in four columns: a clique of 20 736 cells, and no end of sweeps over it."""
    wide = np.random.default_rng(0).integers(0, 12, (60, 4))
    model = MarkovLearner(method=method, max_work=3e6, tol=1e-12, random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"iterations within max_work=3e\+06; raise"):
        model.fit(wide)
    assert model.fit_report_.n_iter < 20


def test_cliques_too_large_for_one_iteration():
    """Twelve states in four columns: by the pseudo-likelihood, or refused where asked by name."""
    wide = np.random.default_rng(0).integers(0, 12, (60, 4))
    gaps = wide.astype(object)
    gaps[:50, 0] = None
    model = MarkovLearner(max_work=1e5, max_iter=3, tol=0.5, random_state=0).fit(gaps)
    assert "pseudo-likelihood" in repr(model.fit_report_)
    assert any("50 distinct rows" in note for note in model.fit_report_.notes)
    with pytest.raises(ValueError, match=r"max_work must be at least .* for one iteration of 'em'"):
        MarkovLearner(method="em", max_work=1e5).fit(gaps)
    gaps[:, 0] = None
    gaps[0, 0], gaps[0, 1] = 1, None
    gaps[1, 0], gaps[1, 1] = 2, None
    with pytest.raises(ValueError, match=r"^MarkovLearner: max_work must be at least"):
        MarkovLearner(max_work=1e5).fit(gaps)


def test_more_weights_than_memory_are_refused(monkeypatch):
    frame = pd.DataFrame({"a": [0, 1, 2, 0], "b": [0, 1, 2, 1]})
    monkeypatch.setattr(_markov_learner.memory, "total", lambda: 100)
    with pytest.raises(MemoryError, match=r"MarkovLearner: \d+ weights of the cliques need"):
        MarkovLearner(cliques=[("a", "b")]).fit(frame)
