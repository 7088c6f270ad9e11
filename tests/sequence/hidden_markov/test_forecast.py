import numpy as np

from margin.distributions import Poisson
from margin.sequence.hidden_markov._forecast import mixture_of


def test_weights_and_members():
    law = mixture_of(np.array([0.25, 0.75]), Poisson([1.0, 5.0]))
    np.testing.assert_allclose(
        law.log_prob(2.0), np.log(np.exp(Poisson([1.0, 5.0]).log_prob(2.0)) @ [0.25, 0.75])
    )
