"""Times that queries ask for, and the queries of all models of numbers."""

import numpy as np
import pytest

from margin.sequence import (
    AutoRegression,
    BayesianLinearDynamicalSystem,
    LinearDynamicalSystem,
    SwitchingLinearDynamicalSystem,
    TimeVaryingAutoRegression,
)
from margin.sequence._times import asked, with_room

V = np.cumsum(np.random.default_rng(0).normal(size=40)) / 4
MODELS = [
    AutoRegression(1),
    LinearDynamicalSystem(1, max_iter=3, tol=1.0),
    BayesianLinearDynamicalSystem(1, n_draws=4, n_warmup=4, random_state=0),
    SwitchingLinearDynamicalSystem(2, 1, n_init=1, tol=1e-2, random_state=0),
    TimeVaryingAutoRegression(1, drift=0.1),
]


@pytest.mark.parametrize("times", [[-1], [0.5], [[0]], ["a"], 3, [10**6, -2]], ids=lambda t: str(t))
def test_refusals(times):
    with pytest.raises(ValueError, match="M: times must be integers from 0 to 4"):
        asked("M", times, 5)
    with pytest.raises(ValueError, match="M: times must be integers of at least 0"):
        asked("M", times, 5, beyond=True)


def test_none_and_beyond():
    assert asked("M", [], 5).tolist() == []
    assert asked("M", [7, 0], 5, beyond=True).tolist() == [7, 0]
    assert with_room(np.zeros((2, 3)), np.array([], dtype=np.intp)).shape == (2, 3)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_model_answers_at_given_times(model):
    with np.errstate(all="ignore"):
        fitted = type(model)(**model.get_params()).fit([V])
    every, some = fitted.query(V), fitted.query(V, [30, 2])
    np.testing.assert_allclose(some.mean, np.asarray(every.mean)[[30, 2]])
    with pytest.raises(ValueError, match=rf"{type(model).__name__}: times must be integers"):
        fitted.query(V, [-1])
