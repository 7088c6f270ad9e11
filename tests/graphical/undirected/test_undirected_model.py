"""What all factor models share."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.graphical import MarkovNetwork
from margin.graphical.undirected._undirected_model import checked_factors
from margin.inference import enumerate_model


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    scopes = [("a", "b"), ("b", "c"), ("c", "a"), ("c",), ("d",)]
    card = {"a": 2, "b": 3, "c": 2, "d": 1}
    return MarkovNetwork([(s, rng.random([card[v] for v in s]) + 0.1) for s in scopes])


def test_everything_against_enumeration(model, oracle):
    """graphical.11: normalised, and rescaling a potential changes only Z."""
    exact = oracle.of_factors(model)
    assert_allclose(np.exp(model.log_partition), exact.total, rtol=1e-12)
    frame = pd.DataFrame(exact.rows, columns=exact.names)
    assert_allclose(np.exp(model.log_prob(frame)), exact.p / exact.total, rtol=1e-10)
    assert_allclose(model.energy(frame, beta=2.0), -np.log(exact.p) / 2, rtol=1e-10)
    gaps = frame.assign(b=np.nan)
    assert_allclose(
        np.exp(model.log_prob(gaps))[0] * exact.total, exact.mass({"a": 0, "c": 0, "d": 0})
    )
    doubled = MarkovNetwork([(s, 7 * t) if s == ("c",) else (s, t) for s, t in model.factors])
    assert_allclose(doubled.log_partition - model.log_partition, np.log(7))
    assert_allclose(doubled.log_prob(frame), model.log_prob(frame), rtol=1e-10)


def test_conditionals_need_only_neighbours(model, oracle):
    """graphical.12: p(x_i given the rest) = p(x_i given its neighbours)."""
    exact = oracle.of_factors(model)
    for b in range(3):
        found = model.conditional("a", {"b": b, "c": 1})
        assert_allclose(found, exact.posterior(["a"], {"b": b, "c": 1, "d": 0}), rtol=1e-12)
    with pytest.raises(ValueError, match="others must be states of 'b', 'c'"):
        model.conditional("a", {"b": 0})


def test_draws_and_graphs(model):
    frame = model.sample(5000, random_state=0)
    share = [np.mean(frame["b"] == s) for s in range(3)]
    assert_allclose(share, model.marginals()["b"], atol=0.03)
    assert set(map(frozenset, model.graph.edges)) == {
        frozenset("ab"),
        frozenset("bc"),
        frozenset("ac"),
    }
    assert len(model.factor_graph.factors) == 5
    tables = enumerate_model(model.factor_model())
    assert tables is not None


def test_refusals(model):
    with pytest.raises(ValueError, match="do must be empty"):
        model.query("a", do={"b": 1})
    with pytest.raises(ValueError, match="rows must be complete"):
        model.log_potential({"a": 1})
    nothing = MarkovNetwork({("a",): [0.0, 0.0]})
    with pytest.raises(ValueError, match="factors must allow some state, got Z = 0"):
        nothing.log_partition  # noqa: B018
    impossible = MarkovNetwork({("a", "b"): [[1.0, 0.0], [1.0, 0.0]]})
    with pytest.raises(ValueError, match="others must be possible"):
        impossible.conditional("a", {"b": 1})


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ({("a", "b"): [1.0, 2.0]}, "must have 2 axes"),
        ({("a", "a"): np.ones((2, 2))}, "must have 2 axes"),
        ({("a",): [-1.0, 2.0]}, "finite and at least 0"),
        ({("a",): [np.nan, 2.0]}, "finite and at least 0"),
        ({("a",): [1.0, 2.0], ("a", "b"): np.ones((3, 2))}, "must have 2 states of 'a', got 3"),
    ],
)
def test_bad_factors(factors, message):
    with pytest.raises(ValueError, match=f"Net: factor over .*{message}"):
        checked_factors("Net", factors, None)
    with pytest.raises(ValueError, match="states of 'q' must be given"):
        checked_factors("Net", {}, None, ["q"])
