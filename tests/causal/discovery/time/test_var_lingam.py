"""causal.11: linear effects in series."""

import pickle

import numpy as np
import pandas as pd
import pytest
from equations import series

from margin.causal import VARLiNGAM, bootstrap_edges

NOW = np.array([[0, 0, 0], [0.8, 0, 0], [0, -0.7, 0]])
BEFORE = np.array([[0.5, 0, 0], [0, 0.4, 0], [0.5, 0, 0.3]])
SECOND = np.array([[0, 0, 0], [0, 0, 0.3], [0, 0, 0]])
ONE, TWO = np.stack([NOW, BEFORE]), np.stack([NOW, BEFORE, SECOND])


@pytest.mark.parametrize("seed", range(3))
def test_the_true_effects(seed):
    """causal.11."""
    model = VARLiNGAM().fit(series(3000, ONE, seed))
    assert model.order_ == (0, 1, 2)
    np.testing.assert_allclose(model.adjacency_, ONE, atol=0.08)
    assert set(model.graph_.directed) == {(0, 1), (1, 2)}
    assert {(0, 1, 0), (1, 1, 1), (0, 1, 2), (2, 1, 2)} <= set(model.graph_.lagged)


def test_as_the_other_library():
    lingam = pytest.importorskip("lingam")
    x = series(1500, ONE, 5)
    theirs = lingam.VARLiNGAM(lags=1, prune=False).fit(x)
    ours = VARLiNGAM(prune=None, criterion=None).fit(x)
    assert list(ours.order_) == list(theirs.causal_order_)
    np.testing.assert_allclose(ours.adjacency_, theirs.adjacency_matrices_, atol=0.1)


def test_number_of_lags():
    assert VARLiNGAM(max_lag=4).fit(series(2000, TWO, 1)).n_lags_ == 2
    assert VARLiNGAM(max_lag=4).fit(series(2000, ONE, 1)).n_lags_ == 1
    model = VARLiNGAM(max_lag=3, criterion=None).fit(series(2000, ONE, 1))
    assert (model.n_lags_, model.adjacency_.shape) == (3, (4, 3, 3))


def test_without_pruning_least_squares_along_the_order():
    x = series(300, ONE, 2)
    model = VARLiNGAM(prune=None).fit(x)
    now, past = x[1:] - x[1:].mean(axis=0), x[:-1] - x[:-1].mean(axis=0)
    for place, target in enumerate(model.order_):
        before = list(model.order_[:place])
        slopes = np.linalg.lstsq(np.hstack([now[:, before], past]), now[:, target])[0]
        np.testing.assert_allclose(model.adjacency_[0, target, before], slopes[:place], atol=1e-8)
        np.testing.assert_allclose(model.adjacency_[1, target], slopes[place:], atol=1e-8)


def test_no_lag_crosses_a_seam():
    x = series(2000, ONE, 3)
    whole = VARLiNGAM().fit(x)
    again = VARLiNGAM().fit([x[:1001], x[1000:]])
    np.testing.assert_allclose(again.adjacency_, whole.adjacency_, atol=1e-9)
    gap = x.copy()
    gap[1000] = np.nan
    split = VARLiNGAM().fit([x[:1000], x[1001:]])
    holes = VARLiNGAM().fit(gap)
    np.testing.assert_allclose(holes.adjacency_, split.adjacency_, atol=1e-9)
    assert "2 moments with a gap left out" in holes.fit_report_.notes


def test_columns_that_others_determine_within_a_moment():
    x = series(300, ONE, 5)
    with pytest.raises(ValueError, match="VARLiNGAM: column 3 must be no combination of the col"):
        VARLiNGAM().fit(np.column_stack([x, x[:, 0] + x[:, 1]]))


def test_units_knowledge_and_bootstrap():
    x = series(1500, ONE, 4)
    model = VARLiNGAM().fit(x)
    scale = np.array([1e-5, 1.0, 1e5])
    scaled = VARLiNGAM().fit(x * scale + 3 * scale)
    np.testing.assert_allclose(
        scaled.adjacency_ / (scale[:, None] / scale), model.adjacency_, atol=1e-6
    )
    assert VARLiNGAM(tiers=[[2], [1], [0]]).fit(x).order_ == (2, 1, 0)
    known = VARLiNGAM(required=[(0, 2)], forbidden=[(0, 1), (1, 0)]).fit(x).graph_.directed
    assert (0, 2) in known
    assert not {(0, 1), (1, 0)} & set(known)
    shares = bootstrap_edges(VARLiNGAM(), x, n_samples=8, random_state=0)
    arrows = {(a, b): share for a, b, share in shares.arrows()}
    assert arrows[(0, 0), (1, 0)] > 0.7
    assert arrows[(0, 1), (2, 0)] > 0.7
    several = bootstrap_edges(VARLiNGAM(), [x[:700], x[700:]], n_samples=2, random_state=0)
    assert several.names == shares.names


def test_contract_and_refusals():
    x = series(400, ONE, 6)
    model = VARLiNGAM().fit(pd.DataFrame(x, columns=list("abc")))
    assert set(model.order_) == set("abc")
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_
    with pytest.raises(ValueError, match="VARLiNGAM: max_lag must be"):
        VARLiNGAM(max_lag=0).fit(x)
    with pytest.raises(ValueError, match="VARLiNGAM: X must be more than 8 complete rows"):
        VARLiNGAM().fit(x[:6])
    with pytest.raises(ValueError, match="column 1 must be not constant"):
        VARLiNGAM().fit(np.where(np.arange(3) == 1, 2.0, x))
    with pytest.raises(ValueError, match="finite, or NaN"):
        VARLiNGAM().fit(np.where(np.eye(400, 3) > 0, np.inf, x))
    with pytest.raises(ValueError, match="not determined by the past"):
        VARLiNGAM().fit(np.column_stack([x[1:, 0], x[:-1, 0]]))
    with pytest.raises(ValueError, match="series of 3 columns"):
        VARLiNGAM().fit([x, x[:, :2]])
    notes = VARLiNGAM().fit(series(500, ONE, 0, noise="normal")).fit_report_.notes
    assert "cannot be told from normal" in " ".join(notes)
