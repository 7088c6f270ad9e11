"""Values of expectation maximisation."""

import pickle

import numpy as np

from margin.inference import Expectation, Point, Repaired


def test_values_are_tuples_that_nobody_writes_on():
    at = Point(np.zeros(2), -1.0, None)
    for value in (at, Expectation(-1.0, None), Repaired(0.5, ("re-seeded",))):
        assert type(pickle.loads(pickle.dumps(value))) is type(value)
        assert isinstance(value, tuple)
    assert at.bound == -1.0
