"""Factor models and the checks of evidence (inference.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphs import DAG, FactorGraph
from margin.inference import FactorModel, enumerate_model
from margin.inference._model import check_evidence, check_likelihoods, flatten


def test_the_same_potential_as_one_factor_or_as_three():
    """inference.09: two factor graphs of one distribution, a tree and a loop."""
    rng = np.random.default_rng(0)
    a, b, c = (rng.random((2, 2)) for _ in range(3))
    three = FactorModel((2, 2, 2), ((0, 1), (1, 2), (2, 0)), (a, b, c))
    whole = a[:, :, None] * b[None] * c.T[:, None, :]
    one = FactorModel((2, 2, 2), ((0, 1, 2),), (whole,))
    assert_allclose(enumerate_model(three).table, enumerate_model(one).table, atol=1e-15)
    assert three.factor_graph.to_undirected() == one.factor_graph.to_undirected()
    assert one.factor_graph.is_forest()
    assert not three.factor_graph.is_forest()


def test_a_directed_model_is_the_factor_graph_of_its_dag(random_model):
    model = random_model(np.random.default_rng(2), 6, directed=True)
    dag = DAG(6, [(u, scope[-1]) for scope in model.scopes for u in scope[:-1]])
    converted = FactorGraph.from_dag(dag)
    wanted = sorted(sorted(scope) for scope in converted.factors.values())
    assert sorted(sorted(scope) for scope in model.scopes) == wanted
    assert enumerate_model(model).evidence_mass == pytest.approx(1.0, abs=1e-12)


def test_log_prob_is_the_sum_of_logarithms():
    model = FactorModel((2, 2), ((), (0,), (1, 0)), (3.0, [0.5, 0.0], [[1, 2], [4, 8]]))
    assert_allclose(model.log_prob([[0, 1]]), [np.log(3 * 0.5 * 4)])
    assert model.log_prob([1, 1])[0] == -np.inf


def test_reduced_models_keep_the_mass_of_the_evidence(random_model):
    model = random_model(np.random.default_rng(1), 5)
    fixed = model.reduced({2: 0})
    assert all(2 not in scope for scope in fixed.scopes)
    wanted = enumerate_model(model, (0,), {2: 0}).evidence_mass
    assert enumerate_model(fixed, (0,)).evidence_mass == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0,), (), ()), "cardinalities must be integers of at least 1"),
        (((2,), ((1,),), ([1, 1],)), r"scopes must be distinct variables among 0..0, got \(1,\)"),
        (((2,), ((0,),), ()), "tables must be one per scope"),
        (((2,), ((0,),), ([1, 1, 1],)), r"tables\[0\] must be of shape \(2,\), got \(3,\)"),
        (((2,), ((0,),), ([1, -1],)), r"tables\[0\] must be finite and non-negative"),
        (((2,), ((0,),), ([1, np.nan],)), r"tables\[0\] must be finite and non-negative"),
    ],
)
def test_malformed_models_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        FactorModel(*arguments)


def test_evidence_of_all_kinds_becomes_an_integer_array():
    assert_array_equal(check_evidence("x", (2, 3), None), [[-1, -1]])
    assert_array_equal(check_evidence("x", (2, 3), {1: 2}), [[-1, 2]])
    found = check_evidence("x", (2, 3), np.array([[0, 2], [1, -1]], dtype=np.int64))
    assert found.dtype == np.int32
    assert found.flags.c_contiguous
    with pytest.raises(ValueError, match=r"x: evidence\[1, 0\] must be -1 or a state 0..1, got 2"):
        check_evidence("x", (2, 3), [[0, 2], [2, 0]])


def test_likelihoods_are_checked_and_broadcast():
    found = check_likelihoods("x", (2, 3), 4, {1: [1, 2, 3]})
    assert found[1].shape == (4, 3)
    for bad in ({2: [1.0]}, {0: [[1.0, 1.0]]}, {0: [1.0, -1.0]}, {0: [np.nan, 1.0]}):
        with pytest.raises(ValueError, match="likelihoods"):
            check_likelihoods("x", (2, 3), 4, bad)


def test_flatten_of_nothing():
    assert flatten([]).shape == (0,)
