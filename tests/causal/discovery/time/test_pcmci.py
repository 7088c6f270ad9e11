"""Links of series by momentary conditional independence."""

import pickle

import numpy as np
import pandas as pd
import pytest
from equations import series

from margin.causal import PCMCI, bootstrap_edges
from margin.causal.discovery.time._pcmci import adjusted
from margin.search import HSIC

CHAIN = np.zeros((3, 4, 4))
CHAIN[1] = np.diag([0.8, 0.7, 0.6, 0.8])
CHAIN[1, 1, 0] = CHAIN[1, 3, 2] = 0.5
CHAIN[2, 2, 1] = -0.5
TRUE = {(j, lag, i) for lag, i, j in np.argwhere(CHAIN).tolist()}


def test_the_true_links():
    for seed in range(4):
        links = set(PCMCI(max_lag=2).fit(series(600, CHAIN, seed, "normal")).graph_.lagged)
        assert len(links ^ TRUE) <= 1


def test_level_under_the_null():
    """Strong memory of its own does not make a series look like a cause of another."""
    alone = np.stack([np.zeros((3, 3)), np.diag([0.95, 0.9, 0.8])])
    p_values = []
    for seed in range(60):
        x = series(200, alone, seed, "normal")
        p = PCMCI(max_lag=2, fdr=False).fit(x).p_values_[1:]
        p_values += p[:, ~np.eye(3, dtype=bool)].ravel().tolist()
    assert 0.035 <= np.mean(np.array(p_values) < 0.05) <= 0.07


def test_adjusted_p_values():
    rng = np.random.default_rng(0)
    p = rng.random(30)
    order = np.sort(p)
    expected = [
        min(min(1.0, 30 * order[k] / (k + 1)) for k in range(30) if order[k] >= v) for v in p
    ]
    np.testing.assert_allclose(adjusted(p), expected)
    shares = [
        (adjusted(np.concatenate([rng.random(50), np.zeros(5)])) < 0.1)[:50].sum()
        for _ in range(200)
    ]
    assert np.mean([s / (s + 5) for s in shares]) <= 0.12


def test_links_within_a_moment_and_knowledge():
    now = np.stack([np.array([[0, 0], [0.8, 0]]), np.diag([0.5, 0.5])])
    x = series(500, now, 0, "normal")
    assert PCMCI().fit(x).graph_.undirected == ()
    assert PCMCI(contemporaneous=True).fit(x).graph_.undirected == ((0, 1),)
    forbidden = PCMCI(contemporaneous=True, forbidden=[(0, 1), (1, 0)]).fit(x).graph_
    assert forbidden.undirected == ()
    x = series(500, CHAIN, 1, "normal")
    graph = PCMCI(max_lag=2, required=[(3, 0)], forbidden=[(0, 1)]).fit(x).graph_
    assert {(a, b) for a, _, b in graph.lagged} >= {(3, 0)}
    assert (0, 1, 1) not in graph.lagged
    late = PCMCI(max_lag=2, tiers=[[3], [2], [1], [0]]).fit(x).graph_
    assert all(a >= b for a, _, b in late.lagged)


def test_other_tests():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(150, 2))
    x[1:, 1] += 2 * x[:-1, 0] ** 2
    assert (0, 1, 1) in PCMCI(test="kci").fit(x).graph_.lagged
    with pytest.raises(ValueError, match="PCMCI: test must be"):
        PCMCI(test="hsic").fit(x)
    with pytest.raises(ValueError, match="makes an IndependenceTest"):
        PCMCI(test=lambda values: values).fit(x)
    assert PCMCI(test=HSIC, condition_alpha=1e-9).fit(rng.normal(size=(60, 1))).graph_.lagged == ()


def test_seams_units_contract_and_bootstrap():
    x = series(500, CHAIN, 2, "normal")
    model = PCMCI(max_lag=1).fit(pd.DataFrame(x, columns=list("abcd")))
    assert model.graph_.names == tuple("abcd")
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_
    again = PCMCI().fit([x[:252], x[250:]])
    np.testing.assert_allclose(again.p_values_, model.p_values_, atol=1e-9)
    np.testing.assert_allclose(PCMCI().fit(x * 1e6 + 1e6).p_values_, model.p_values_, atol=1e-6)
    turned = PCMCI().fit(x[:, ::-1]).p_values_[:, ::-1, ::-1]
    np.testing.assert_allclose(turned, model.p_values_, atol=1e-9)
    shares = bootstrap_edges(PCMCI(), x, n_samples=5, random_state=0)
    assert {((0, 1), (1, 0))} <= {(a, b) for a, b, _ in shares.arrows(0.6)}
    with pytest.raises(ValueError, match="PCMCI: X must be more than"):
        PCMCI(max_lag=5).fit(x[:30])
    with pytest.raises(ValueError, match="PCMCI: alpha must be"):
        PCMCI(alpha=1.5).fit(x)
