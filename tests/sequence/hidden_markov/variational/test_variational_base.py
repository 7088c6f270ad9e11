"""What all models with a belief about their parameters share."""

import numpy as np
import pytest

from margin.sequence import (
    VariationalCategoricalHMM,
    VariationalGaussianHMM,
    VariationalPoissonHMM,
)

RNG = np.random.default_rng(0)
WALKS = [np.repeat(RNG.integers(0, 2, 8), 5) * 4.0 for _ in range(4)]
MODELS = [VariationalCategoricalHMM, VariationalGaussianHMM, VariationalPoissonHMM]


@pytest.mark.parametrize("model", MODELS)
def test_the_answers_are_those_of_the_expected_parameters(model):
    """sequence.16: start, transitions and laws are posterior means; a forecast follows the data."""
    fitted = model(2, random_state=0).fit(WALKS)
    np.testing.assert_allclose(fitted.start_, fitted.start_posterior_.mean)
    np.testing.assert_allclose(fitted.transition_, fitted.transition_posterior_.mean)
    assert fitted.visits_.sum() == pytest.approx(sum(map(len, WALKS)))
    assert fitted.forecast(3).mean.shape[0] == 3
    assert fitted.score(WALKS) > fitted.lower_bound_ / sum(map(len, WALKS))


@pytest.mark.parametrize("model", MODELS)
def test_what_is_seen_nowhere_is_refused(model):
    with pytest.raises(ValueError, match=f"{model.__name__}: X must be observed somewhere"):
        model(2).fit([np.full(4, np.nan)])
    with pytest.raises(ValueError, match=f"{model.__name__}: n_init must be an integer"):
        model(2, n_init=0).fit(WALKS)
