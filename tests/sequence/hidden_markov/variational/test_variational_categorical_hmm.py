import numpy as np
import pytest
from scipy.special import gammaln

from margin.sequence import CategoricalHMM, VariationalCategoricalHMM

RNG = np.random.default_rng(0)
WALKS = [np.repeat(RNG.integers(0, 3, 12), 6) for _ in range(6)]


def test_the_bound_never_falls_and_bounds_the_evidence():
    """sequence.16: with one state the bound is the evidence of Dirichlet counts itself."""
    model = VariationalCategoricalHMM(3, random_state=0).fit(WALKS)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-8
    one = VariationalCategoricalHMM(1, n_init=1, random_state=0).fit(WALKS)
    counts = np.bincount(np.concatenate(WALKS), minlength=3)
    exact = gammaln(3) - gammaln(3 + counts.sum()) + gammaln(1 + counts).sum()
    assert one.lower_bound_ == pytest.approx(exact)
    np.testing.assert_allclose(one.emission_probabilities_[0], (1 + counts) / (3 + counts.sum()))


def test_states_that_are_not_needed_lose_their_mass():
    model = VariationalCategoricalHMM(
        6, start_prior=0.1, transition_prior=0.01, emission_prior=0.1, n_init=5, random_state=0
    ).fit(WALKS)
    used = np.concatenate(list(model.predict(WALKS)))
    assert len(set(used.tolist())) < 6


def test_much_data_is_maximum_likelihood():
    plain = CategoricalHMM(3, random_state=0, n_init=3).fit(WALKS)
    model = VariationalCategoricalHMM(3, random_state=0, n_init=5).fit(WALKS)
    assert model.score(WALKS) == pytest.approx(plain.score(WALKS), abs=0.1)
    assert model.transition_posterior_.concentration.shape == (3, 3)


def test_refusals():
    with pytest.raises(ValueError, match="VariationalCategoricalHMM: emission_prior must be"):
        VariationalCategoricalHMM(emission_prior=0.0).fit(WALKS)
    with pytest.raises(ValueError, match="one symbol for each step"):
        VariationalCategoricalHMM().fit([np.zeros((3, 2))])
