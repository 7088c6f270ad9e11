import numpy as np
import pytest

from margin.sequence import PoissonHMM


def test_recovers_rates_of_several_columns():
    """sequence.21: counts."""
    rng = np.random.default_rng(0)
    state = np.repeat([0, 1, 0, 1], 60)
    x = rng.poisson(np.array([[1.0, 8.0], [9.0, 2.0]])[state])
    model = PoissonHMM(2, random_state=0).fit(x)
    assert np.abs(np.sort(model.rates_[:, 0]) - [1, 9]).max() < 0.7
    assert model.rates_.shape == (2, 2)
    assert model.forecast(3, x).mean.shape == (3, 2)
    one = PoissonHMM(2, rates_init=[[9.0], [1.0]], random_state=0).fit(x[:, 0])
    assert one.rates_[0, 0] > one.rates_[1, 0]


def test_refusals():
    with pytest.raises(ValueError, match="counts"):
        PoissonHMM().fit([[0.5, 1.0]])
    with pytest.raises(ValueError, match="PoissonHMM: rates_init must be"):
        PoissonHMM(2, rates_init=np.ones((2, 3))).fit([[1, 2]])
