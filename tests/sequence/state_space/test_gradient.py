"""Slopes of the likelihood against differences."""

import numpy as np
import pytest

from margin.optim import LBFGS, Function, minimise
from margin.sequence.state_space import _gradient
from margin.sequence.state_space._expectation import SequenceData, expected_moments
from margin.sequence.state_space._gradient import Packing, maximise_likelihood
from margin.sequence.state_space._maximisation import Constraints
from margin.sequence.state_space._start import starting_parameters


@pytest.mark.parametrize("noise", ["full", "diagonal", "spherical"])
def test_slope(noise, monkeypatch):
    rng = np.random.default_rng(0)
    Y, U = rng.normal(size=(12, 2)), rng.normal(size=(12, 1))
    Y[3] = Y[7, 0] = np.nan
    data = SequenceData.of(Y, U, np.array([0, 5, 12]), 1)
    rules = Constraints({}, noise, noise, True, 0.0)
    start = starting_parameters(data, 2, {})
    seen = []

    def look(problem, solver, x0):
        seen.append((problem, x0))
        return minimise(problem, LBFGS(max_iter=1), x0)

    monkeypatch.setattr(_gradient, "minimise", look)
    maximise_likelihood(data, start, rules, tol=1e-3, max_iter=1)
    (problem, x0), h = seen[0], 1e-5
    assert isinstance(problem, Function)
    x0 = x0 + 0.1 * rng.normal(size=len(x0))
    slope = problem.expand(x0).gradient
    for i in range(len(x0)):
        step = h * np.eye(len(x0))[i]
        true = (problem.expand(x0 + step).value - problem.expand(x0 - step).value) / (2 * h)
        assert slope[i] == pytest.approx(true, rel=1e-4, abs=1e-6)
    packing = Packing(start, rules)
    np.testing.assert_allclose(packing.pack(packing.unpack(x0)), x0, atol=1e-10)
    at = packing.unpack(x0)
    seen_count = np.isfinite(Y).sum()
    value = -expected_moments(at, data).bound / seen_count
    assert value == pytest.approx(problem.expand(x0).value)
