import numpy as np
import pytest

from margin.distributions import Poisson
from margin.sequence import GaussianHMM, SemiMarkovHMM

LEVEL = np.tile(np.repeat([0.0, 3.0], [5, 8]), 15)
X = LEVEL + np.random.default_rng(0).normal(size=len(LEVEL))


def test_learns_durations_that_are_not_geometric():
    """sequence.23: explicit durations explain regular stays better than a plain chain."""
    model = SemiMarkovHMM(2, 12, random_state=0).fit(X)
    assert sorted((model.duration_.argmax(axis=1) + 1).tolist()) == [5, 8]
    assert model.score(X) > GaussianHMM(2, random_state=0).fit(X).score(X) + 0.05
    states = model.predict(X)
    assert max((states == (LEVEL > 0)).mean(), (states != (LEVEL > 0)).mean()) > 0.95
    np.testing.assert_allclose(model.posterior(X).sum(axis=1), 1.0)
    assert (np.diag(model.transition_) == 0).all()


def test_samples_have_the_durations():
    model = SemiMarkovHMM(2, 12, random_state=0).fit(X)
    _, states = model.sample(3, 400, random_state=1)
    runs = np.diff(np.flatnonzero(np.diff(states[0]) != 0))
    assert np.isin(runs, [4, 5, 6, 7, 8, 9]).mean() > 0.9


@pytest.mark.parametrize("emission", ["categorical", Poisson])
def test_other_emissions(emission):
    counts = np.random.default_rng(1).poisson(np.where(LEVEL > 0, 6.0, 1.0)).clip(0, 9)
    model = SemiMarkovHMM(2, 12, emission=emission, random_state=0).fit([counts, counts[:50]])
    assert np.isfinite(model.log_prob([counts, counts[:3]])).all()


def test_refusals():
    with pytest.raises(ValueError, match="max_duration must be at least 195"):
        SemiMarkovHMM(1, 12).fit(X)
    with pytest.raises(ValueError, match="SemiMarkovHMM: emission must be"):
        SemiMarkovHMM(emission="poison").fit(X)
    with pytest.raises(ValueError, match="SemiMarkovHMM: max_duration must be"):
        SemiMarkovHMM(2, 0).fit(X)
    model = SemiMarkovHMM(2, 3, emission="categorical", random_state=0).fit([[0, 1, 0, 1]])
    assert model.log_prob([[5]])[0] == -np.inf
    with pytest.raises(ValueError, match="possible under the model"):
        model.predict([[5]])
