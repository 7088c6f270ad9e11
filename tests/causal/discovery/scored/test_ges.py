"""GES: the class of best score."""

import pickle

import numpy as np
import pandas as pd
import pytest

from margin.causal import GES, bootstrap_edges
from margin.graphs import DAG, PDAG, cpdag, extend_pdag
from margin.search import Moments, NetworkScore


def linear_table(p, n, seed, share=0.4):
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.random((p, p)) < share, 1) * rng.uniform(0.5, 1.2, (p, p))
    weight *= rng.choice([-1, 1], (p, p))
    X = np.zeros((n, p))
    for j in range(p):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    return X, DAG.from_adjacency(weight != 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_score_is_about_that_of_the_truth_or_better(seed):
    X, truth = linear_table(8, 3000, seed)
    model = GES().fit(X)
    score = NetworkScore.of("Test", Moments.of("Test", X))
    # With few rows the search may end at a local maximum.
    empty = score.total(np.zeros((8, 8)))
    assert model.score_ - empty >= 0.99 * (score.total(truth.adjacency()) - empty)
    member = extend_pdag(model.graph_)
    assert model.score_ == pytest.approx(score.total(member.adjacency()))
    assert cpdag(member) == model.graph_
    assert model.fit_report_.trace["objective"][-1] == pytest.approx(model.score_)
    assert GES(turning=False).fit(X).score_ <= model.score_ + 1e-9


@pytest.mark.parametrize("seed", [0, 3])
def test_causal_learn_finds_the_same_class(seed):
    search = pytest.importorskip("causallearn.search.ScoreBased.GES")
    X, _ = linear_table(6, 400, seed)
    marks = search.ges(X, "local_score_BIC")["G"].graph
    joined = (marks != 0) & (marks.T != 0)
    peer = PDAG.from_adjacency(joined & (marks == -1))
    assert GES(turning=False).fit(X).graph_ == peer


def test_columns_in_another_order_and_other_units():
    X, _ = linear_table(6, 500, 1)
    model = GES().fit(pd.DataFrame(X, columns=list("abcdef")))
    turned = pd.DataFrame(X * 1e5 + 3.0, columns=list("abcdef"))[list("fedcba")]
    assert GES(n_jobs=2).fit(turned).graph_ == model.graph_
    assert pickle.loads(pickle.dumps(model)).graph_ == model.graph_


def test_unknown_values():
    X, truth = linear_table(5, 3000, 2)
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
    assert GES().fit(holes).graph_ == GES().fit(X).graph_ == cpdag(truth)


def test_knowledge_in_terms_of_names():
    X, _ = linear_table(4, 300, 3, 0.8)
    frame = pd.DataFrame(X, columns=list("abcd"))
    tiers = [["d"], ["c"], ["b"], ["a"]]
    backwards = GES(tiers=tiers).fit(frame).graph_
    assert not backwards.undirected
    assert all(x > y for x, y in backwards.directed)
    model = GES(required=[("d", "a")], forbidden=[("b", "c"), ("c", "b")]).fit(frame)
    assert ("d", "a") in model.graph_.directed
    assert "b" not in model.graph_.adjacent("c")
    assert max(len(GES(max_degree=1).fit(frame).graph_.adjacent(n)) for n in "abcd") == 1


def test_edges_by_bootstrap():
    X, _ = linear_table(3, 300, 5, 1.0)
    shares = bootstrap_edges(GES(), X, n_samples=10, random_state=0)
    assert shares.joined.max() == 1.0


def test_few_rows_many_columns_and_refusals():
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((12, 20))
    assert len(GES(max_degree=2).fit(wide).graph_) == 20
    with pytest.raises(ValueError, match="GES: X must be more than 21 rows"):
        GES().fit(wide)
    with pytest.raises(ValueError, match="GES: score must be one of 'bic', 'aic', 'bdeu'"):
        GES(score="k2").fit(wide)
    with pytest.raises(ValueError, match="GES: max_degree must be"):
        GES(max_degree=0).fit(wide)
    with pytest.raises(ValueError, match="GES: X must be finite or NaN, got 'infinity'"):
        GES(model="gaussian").fit(np.array([[0.5, np.inf]] * 9))
    with pytest.raises(ValueError, match="GES: required must be pairs"):
        GES(required=[("a", "b")]).fit(rng.standard_normal((9, 2)))


def mixed_rows(n, seed):
    """A word and a number act on a number, which acts on a truth value and on a word."""
    rng = np.random.default_rng(seed)
    arm, dose = rng.integers(0, 3, n), rng.normal(size=n)
    cure = 1.5 * (arm == 1) + dose + rng.normal(size=n)
    frame = {"well": cure + rng.logistic(size=n) > 0, "cure": cure, "dose": dose}
    return pd.DataFrame({**frame, "arm": np.array(["none", "old", "new"])[arm]})


def test_numbers_beside_words_and_truth_values():
    model = GES().fit(mixed_rows(2000, 0))
    assert set(model.graph_.directed) == {("arm", "cure"), ("dose", "cure"), ("cure", "well")}
    assert model.graph_.undirected == ()
    known = GES(tiers=[["arm", "dose"], ["well", "cure"]], forbidden=[("dose", "cure")])
    assert ("dose", "cure") not in known.fit(mixed_rows(300, 1)).graph_.directed
    holes = mixed_rows(2000, 2).astype({"arm": object})
    holes.loc[::11, "arm"] = None
    holes.loc[::7, "dose"] = np.nan
    assert set(GES().fit(holes).graph_.directed) == set(model.graph_.directed)
    with pytest.raises(ValueError, match="GES: score must be 'bic' or 'aic'"):
        GES(score="bdeu").fit(mixed_rows(100, 3))
