import numpy as np

from margin.distributions import (
    Categorical,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
)
from margin.sequence.hidden_markov._forecast import mixed_steps

WEIGHTS = np.array([[0.25, 0.75], [1.0, 0.0]])


def test_weights_and_members():
    """sequence.14: each step is a mixture of its own."""
    laws = Poisson([1.0, 5.0])
    ahead = mixed_steps(WEIGHTS, laws)
    want = np.log(WEIGHTS @ np.exp(laws.log_prob(2.0)))
    np.testing.assert_allclose(ahead.log_prob([2.0, 2.0]), want)
    np.testing.assert_allclose(ahead.mean, WEIGHTS @ [1.0, 5.0])


def test_symbols_stay_symbols():
    ahead = mixed_steps(WEIGHTS, Categorical([[0.9, 0.1], [0.2, 0.8]]))
    assert isinstance(ahead, Categorical)
    np.testing.assert_allclose(ahead.probabilities[0], [0.375, 0.625])


def test_one_column_is_a_number():
    """Vectors of one column become numbers, which have quantiles; mixtures of them as well."""
    vectors = MultivariateNormal([[0.0], [4.0]], [[[1.0]], [[4.0]]])
    numbers = mixed_steps(WEIGHTS, Normal([0.0, 4.0], [1.0, 2.0]))
    ahead = mixed_steps(WEIGHTS, vectors)
    assert ahead.mean.shape == (2,)
    for one, other in zip(ahead.interval(0.8), numbers.interval(0.8), strict=True):
        np.testing.assert_allclose(one, other)
    nested = [MixtureDistribution([1.0], [vectors[k]]) for k in range(2)]
    np.testing.assert_allclose(mixed_steps(WEIGHTS, nested).var, numbers.var)
