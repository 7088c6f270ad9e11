import numpy as np
import pytest

from margin.datasets import make_chimpanzee
from margin.sequence import CategoricalHMM


def test_the_chimpanzee():
    """sequence.16, sequence.14: learned from sightings as well as the truth explains them; where
    it will be tomorrow."""
    chimp = make_chimpanzee(300, random_state=0)
    model = CategoricalHMM(2, n_init=5, max_iter=500, random_state=0).fit(chimp.data)
    assert model.log_prob(chimp.data).sum() >= chimp.log_likelihood.sum()
    truth = CategoricalHMM(
        2,
        start_init=chimp.start,
        transition_init=chimp.transition,
        emission_init=chimp.emission,
        fixed=("start", "transition", "emission"),
    ).fit(chimp.data)
    np.testing.assert_allclose(truth.log_prob(chimp.data), chimp.log_likelihood, rtol=1e-10)
    lengths = [len(days) for days in chimp.data]
    ahead = np.array(
        [truth.query(d, [n])[0, 0] for d, n in zip(chimp.data[:20], lengths, strict=False)]
    )
    np.testing.assert_allclose(ahead, chimp.next_probability[:20])


def test_structural_zeros_of_the_emission_stay():
    """sequence.16: a zero is a constraint of the model."""
    rng = np.random.default_rng(0)
    walks = [rng.integers(0, 3, 30) for _ in range(5)]
    table = [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]
    model = CategoricalHMM(2, emission_init=table, random_state=0, tol=1e-4).fit(walks)
    assert model.emission_probabilities_[0, 2] == 0.0
    assert model.emission_probabilities_[1].min() > 0


def test_prior_keeps_unseen_symbols_possible():
    model = CategoricalHMM(2, n_symbols=4, emission_prior=1.5, random_state=0).fit(
        [[0, 1, 0, 1, 1]]
    )
    assert model.emission_probabilities_.shape == (2, 4)
    assert np.isfinite(model.log_prob([[3, 0]])).all()
    plain = CategoricalHMM(2, n_symbols=4, random_state=0).fit([[0, 1, 0, 1, 1]])
    assert plain.log_prob([[3, 0]])[0] == -np.inf


@pytest.mark.parametrize(
    ("settings", "X", "message"),
    [
        ({}, [[0, 0.5]], "symbols 0, 1"),
        ({"n_symbols": 1}, [[0, 1]], "n_symbols must be at least 2"),
        ({"emission_prior": 0.5}, [[0, 1]], "emission_prior must be at least 1"),
        ({}, [np.zeros((3, 2))], "one symbol for each step"),
        ({"emission_init": [[0.5, 0.6]] * 2}, [[0, 1]], "emission_init must be probabilities"),
    ],
)
def test_refusals(settings, X, message):
    with pytest.raises(ValueError, match=f"CategoricalHMM: .*{message}"):
        CategoricalHMM(**settings).fit(X)
