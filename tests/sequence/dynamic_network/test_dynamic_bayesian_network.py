"""sequence.25: the estimator, against hidden Markov models, counting and enumeration."""

import numpy as np
import pandas as pd
import pytest
from networks import STRUCTURES, fits, joint, network
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from margin.core import FitError
from margin.sequence import CategoricalHMM, DynamicBayesianNetwork

A, B, START = [[0.8, 0.2], [0.3, 0.7]], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], [0.6, 0.4]


def symbols(seed=0, gaps=0.1):
    rng = np.random.default_rng(seed)
    sequences = []
    for n in (12, 1, 30, 7, 25):
        x = rng.integers(0, 3, n).astype(float)
        x[rng.random(n) < gaps] = np.nan
        sequences.append(x)
    sequences[0][0] = 2
    return sequences


def as_network(**options):
    return DynamicBayesianNetwork(
        [("h", 0)],
        [("h", "h")],
        hidden={"h": 2},
        tables_init={"h": A, 0: B},
        initial_init={"h": START},
        **options,
    )


def test_hidden_markov_model_is_a_special_case():
    """sequence.25: one hidden and one seen node are a hidden Markov model."""
    X = symbols()
    options = {"tol": 0.0, "max_iter": 15}
    with pytest.warns(ConvergenceWarning):
        network_ = as_network(**options).fit(X)
    with pytest.warns(ConvergenceWarning):
        chain = CategoricalHMM(
            2, start_init=START, transition_init=A, emission_init=B, **options
        ).fit(X)
    np.testing.assert_allclose(network_.tables_["h"], chain.transition_, rtol=1e-9)
    np.testing.assert_allclose(network_.tables_[0], chain.emission_probabilities_, rtol=1e-9)
    np.testing.assert_allclose(network_.initial_["h"], chain.start_, rtol=1e-9)
    np.testing.assert_allclose(network_.log_prob(X), chain.log_prob(X), rtol=1e-9)
    assert network_.score(X) == pytest.approx(chain.score(X))
    np.testing.assert_allclose(
        network_.query("h", X, [0, 3, 40]), chain.query(X, [0, 3, 40]), atol=1e-9
    )
    filtered = network_.query("h", X[2], given="past")
    np.testing.assert_allclose(filtered, chain.filter(X[2]), atol=1e-9)
    for seen in (None, X[2]):
        ahead = network_.forecast(4, seen)[0].probabilities
        np.testing.assert_allclose(ahead, chain.forecast(4, seen).probabilities, rtol=1e-9)


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("given", ["all", "past"])
def test_queries_against_enumeration(kind, given):
    names, cards, edges, across = STRUCTURES[kind]
    s, tables = network(kind, 3)
    model = DynamicBayesianNetwork(
        list(map(tuple, edges)),
        list(map(tuple, across)),
        states={name: list(range(c)) for name, c in zip(names, cards, strict=True)},
        tables_init=dict(zip(names, tables.later, strict=True)),
        initial_init={names[v]: tables.first[v] for v in s.moving},
        fixed=tuple(names),
    )
    last = names[-1]
    shown = {name: [None, None] for name in names} | {last: [1, 0]}
    model.fit([shown])
    codes, p = joint(s, tables, 3)
    pair = [names[0], last]
    answer = model.query(pair, shown, [0, 1, 2], given=given)
    for t in range(3):
        seen = np.full((3, s.n), -1)
        seen[:2, -1] = (1, 0)
        if given == "past":
            seen[t + 1 :] = -1
        here = fits(codes, seen)
        want = np.zeros((cards[0], cards[-1]))
        np.add.at(want, (codes[here, t, 0], codes[here, t, -1]), p[here])
        np.testing.assert_allclose(answer[t], want / want.sum(), atol=1e-12)
    alone = model.query(last, [shown, shown], [2], given=given)
    np.testing.assert_allclose(alone[1, 0], answer[2].sum(axis=0), atol=1e-12)


def test_all_observed_is_counting():
    frame = pd.DataFrame({"a": list("xyxxyy"), "b": [0, 1, 1, 0, 1, 0]})
    model = DynamicBayesianNetwork([("a", "b")], [("a", "a")]).fit(frame, lengths=[4, 2])
    np.testing.assert_allclose(model.tables_["b"], [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    np.testing.assert_allclose(model.tables_["a"], [[1 / 2, 1 / 2], [1 / 2, 1 / 2]])
    np.testing.assert_allclose(model.initial_["a"], [1 / 2, 1 / 2])
    assert model.states_ == {"a": ["x", "y"], "b": [0, 1]}
    assert model.fit_report_.status.name == "CONVERGED"


def test_by_default_every_variable_follows_itself():
    model = DynamicBayesianNetwork().fit([[0, 1, 1], [1, 1]])
    np.testing.assert_allclose(model.tables_[0], [[0, 1], [0, 1]])
    assert model.names_ == (0,)


def test_draws_lead_back_to_the_tables():
    model = as_network(fixed=("h", 0)).fit([[0, 1, 2]])
    drawn = model.sample(400, 30, random_state=1)
    assert set(drawn[0]) == {0, "h"}
    both = DynamicBayesianNetwork([("h", 0)], [("h", "h")]).fit(drawn)
    np.testing.assert_allclose(both.tables_["h"], A, atol=0.02)
    np.testing.assert_allclose(both.tables_[0], B, atol=0.02)
    np.testing.assert_allclose(both.initial_["h"], START, atol=0.08)
    again = model.sample(400, 30, random_state=1)
    np.testing.assert_array_equal(again[7]["h"], drawn[7]["h"])


def test_learns_two_hidden_causes_from_ragged_frames():
    """A factorial model: two hidden chains behind three sensors."""
    truth = DynamicBayesianNetwork(
        [("a", "u"), ("b", "v"), ("a", "w"), ("b", "w")],
        [("a", "a"), ("b", "b")],
        tables_init={
            "a": [[0.95, 0.05], [0.05, 0.95]],
            "b": [[0.7, 0.3], [0.3, 0.7]],
            "u": [[0.9, 0.1], [0.1, 0.9]],
            "v": [[0.85, 0.15], [0.1, 0.9]],
        },
        fixed=tuple("abuv"),
    )
    truth.fit([{name: [0, 1] for name in "abuvw"}])
    drawn = truth.sample(60, np.random.default_rng(0).integers(5, 60, 60), random_state=0)
    shown = [{name: one[name] for name in "uvw"} for one in drawn]
    model = DynamicBayesianNetwork(
        truth.edges, truth.transitions, hidden={"a": 2, "b": 2}, n_init=2, random_state=0, tol=1e-5
    ).fit(shown)
    assert model.score(shown) >= truth.score(shown)
    decoded = model.predict(shown)
    right = np.concatenate([d["a"] == o["a"] for d, o in zip(decoded, drawn, strict=True)]).mean()
    assert max(right, 1 - right) > 0.9


def test_predict_keeps_what_is_seen():
    X = symbols(1)
    answer = as_network(fixed=("h", 0)).fit(X).predict(X)
    for given, filled in zip(X, answer, strict=True):
        seen = ~np.isnan(given)
        np.testing.assert_array_equal(filled[0][seen], given[seen])
        assert len(filled["h"]) == len(given)


def test_cross_validation_and_search_over_sequences():
    X = symbols(2)
    model = DynamicBayesianNetwork(
        [("h", 0)], [("h", "h")], hidden={"h": 2}, states={0: [0, 1, 2]}, tol=1e-3, random_state=0
    )
    assert np.isfinite(cross_val_score(model, X, cv=KFold(2))).all()
    search = GridSearchCV(model, {"hidden": [{"h": 1}, {"h": 2}]}, cv=KFold(2)).fit(X)
    assert search.best_params_["hidden"] in ({"h": 1}, {"h": 2})


def test_weights_are_repetitions():
    X = symbols(3)
    with pytest.warns(ConvergenceWarning):
        twice = as_network(tol=0.0, max_iter=5).fit([*X, X[2]])
    with pytest.warns(ConvergenceWarning):
        heavy = as_network(tol=0.0, max_iter=5).fit(X, sample_weight=[1, 1, 2, 1, 1])
    np.testing.assert_allclose(twice.tables_["h"], heavy.tables_["h"], rtol=1e-10)


def test_prior_keeps_rows_from_zero():
    model = DynamicBayesianNetwork(prior=2.0).fit([[0, 1, 1, 1]])
    np.testing.assert_allclose(model.tables_[0], [[1 / 3, 2 / 3], [1 / 4, 3 / 4]])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"edges": [(0, 1), (1, 0)]}, "edges must be without a cycle within a slice"),
        ({"edges": [(0, "x")]}, "edges must be between"),
        ({"edges": [0]}, "edges must be pairs of names"),
        ({"hidden": {0: 2}}, "hidden must be names that are no columns"),
        ({"hidden": {"h": 0}}, "at least 1, got 0"),
        ({"fixed": ("x",)}, "fixed must be some of"),
        ({"prior": 0.5}, "prior must be a number of at least 1"),
        ({"tables_init": {0: [[0.5, 0.4]]}}, r"tables_init\[0\] must be probabilities of shape"),
        ({"tables_init": {"x": [1]}}, "tables_init must be tables of"),
        ({"hidden": {"h": 5000}}, "at most 4096 states of the interface"),
        ({"states": {0: [0]}}, "one of the states"),
    ],
)
def test_bad_settings_are_refused_by_name(options, words):
    with pytest.raises(ValueError, match=f"DynamicBayesianNetwork: .*{words}"):
        DynamicBayesianNetwork(**options).fit([[[0, 1], [1, 1]]])


def test_bad_sequences_are_refused():
    model = as_network(fixed=("h", 0)).fit(symbols())
    for X, words in (
        ([{"x": [1]}], "columns"),
        ([[5.0]], "one of the states"),
        ([], "at least one sequence"),
        ([{0: [1, 2], "h": [0]}], "equal length"),
        ([{0: [1]}, {"h": [0]}], "in every sequence"),
    ):
        with pytest.raises(ValueError, match=words):
            model.log_prob(X)
    for arguments, words in (
        (("x", [[0]], [0]), "targets"),
        (("h", [[0]], [-1]), "times"),
        ((["h", "h"], [[0]], [0]), "distinct"),
    ):
        with pytest.raises(ValueError, match=words):
            model.query(*arguments)


def test_what_cannot_happen_is_named():
    sure = DynamicBayesianNetwork(
        tables_init={0: [[1, 0], [0, 1]]}, initial_init={0: [0.5, 0.5]}, fixed=(0,)
    ).fit([[0, 0], [1, 1]])
    np.testing.assert_array_equal(sure.log_prob([[0, 1], [1, 1]]), [-np.inf, np.log(0.5)])
    with pytest.raises(ValueError, match="possible under the model, got 'sequence 0'"):
        sure.query(0, [[0, 1]], [0])
    with pytest.raises(FitError, match="sequence 1 has probability 0"):
        sure.fit([[0, 0], [0, 1]])


def test_no_time_at_all_is_answered_with_nothing():
    X = [{"a": [0, 1, 1, 0, 1]}]
    model = DynamicBayesianNetwork([]).fit(X)
    assert model.query("a", X, []).shape == (1, 0, 2)
    for times in ([-1], [0.5], [[0]]):
        with pytest.raises(ValueError, match="times must be integers of at least 0"):
            model.query("a", X, times)
