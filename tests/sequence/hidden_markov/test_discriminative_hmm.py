import numpy as np
import pytest

from margin.sequence import CategoricalHMM, DiscriminativeHMM
from margin.sequence.hidden_markov._data import observed
from margin.sequence.hidden_markov._discriminative_hmm import _known, _objective


def tagged(n=20, seed=0):
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(n):
        state = np.repeat(rng.integers(0, 2, 8), 3)
        symbol = np.where(rng.random(24) < 0.7, state, rng.integers(0, 3, 24))
        X.append(symbol.astype(float))
        y.append(state)
    return X, y


def test_the_gradient():
    """sequence.22: known less expected counts, through the softmax."""
    X, y = tagged(3)
    X[0][4] = np.nan
    data = observed("HMM", X)
    known = _known(data, np.concatenate(y), 2, 3)
    at = np.random.default_rng(1).normal(size=known.size)
    slope = _objective(at, data, known, 2, 0.3, 1)[1]
    numeric = [
        (
            _objective(at + e, data, known, 2, 0.3, 1)[0]
            - _objective(at - e, data, known, 2, 0.3, 1)[0]
        )
        / 2e-6
        for e in 1e-6 * np.eye(at.size)
    ]
    np.testing.assert_allclose(slope, numeric, atol=1e-5)


def test_tells_states_at_least_as_well_as_counting():
    """sequence.22: the conditional likelihood of the states is above that of counting."""
    X, y = tagged()
    model = DiscriminativeHMM(2, n_symbols=3, alpha=1e-4).fit(X, y)
    counted = CategoricalHMM(2, n_symbols=3, random_state=0).fit(X, y)

    def conditional(m):
        known = _known(observed("HMM", X), np.concatenate(y), 2, 3)
        with np.errstate(divide="ignore"):
            tables = [
                np.log(t).ravel() for t in (m.start_, m.transition_, m.emission_probabilities_)
            ]
        return known @ np.concatenate(tables) - m.log_prob(X).sum()

    assert conditional(model) >= conditional(counted) - 1e-3
    assert model.score(X, y) > 0.75
    np.testing.assert_allclose(model.transition_.sum(axis=1), 1.0)


def test_all_states_must_be_known():
    X, y = tagged(2)
    for bad in (None, [np.full(24, -1), y[1]]):
        with pytest.raises(ValueError, match="DiscriminativeHMM: y must be"):
            DiscriminativeHMM(2).fit(X, bad)
    with pytest.raises(ValueError, match="y must be the states"):
        DiscriminativeHMM(2).fit(X, y).score(X)
