import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import Conditional, Hard, Shift, Stochastic
from margin.causal.models._interventions import interventions


def test_every_kind():
    """causal.05, causal.06"""
    natural, rng = np.array([1.0, 2.0]), np.random.default_rng(0)
    values = {"z": np.array([0.0, 5.0])}
    assert Hard(3).apply(natural, values, rng).tolist() == [3, 3]
    assert Shift(1.0, 2.0).apply(natural, values, rng).tolist() == [3, 5]
    assert Conditional(lambda z: z > 1, ("z",)).apply(natural, values, rng).tolist() == [0, 1]
    drawn = Stochastic(lambda n, g: g.uniform(7, 8, n)).apply(natural, values, rng)
    assert ((drawn > 7) & (drawn < 8)).all()
    assert Shift.keeps_edges
    assert not Hard.keeps_edges


def test_numbers_are_hard_interventions():
    found = interventions("SEM", ("a", "b"), {"a": 2, "b": Shift(1)})
    assert_allclose(found["a"].value, 2)
    for bad in ({"q": 1}, {"a": np.nan}, {"a": "x"}):
        with pytest.raises(ValueError, match="SEM: do"):
            interventions("SEM", ("a", "b"), bad)
