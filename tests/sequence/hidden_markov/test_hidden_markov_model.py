import numpy as np
import pytest

from margin.distributions import (
    Bernoulli,
    Categorical,
    Exponential,
    Gamma,
    MultivariateNormal,
    Normal,
    Poisson,
    ProductFamily,
    VonMises,
)
from margin.sequence import GaussianHMM, HiddenMarkovModel

RNG = np.random.default_rng(0)
STATE = np.repeat([0, 1, 0, 1], 50)


def drawn(a, b):
    return np.where(STATE == 0, a, b).astype(float)


@pytest.mark.parametrize(
    ("family", "x"),
    [
        (Normal, drawn(RNG.normal(0, 1, 200), RNG.normal(5, 1, 200))),
        (Exponential, drawn(RNG.exponential(1, 200), RNG.exponential(30, 200))),
        (Gamma, drawn(RNG.gamma(5, 1, 200), RNG.gamma(5, 8, 200))),
        (VonMises, drawn(RNG.vonmises(0, 8, 200), RNG.vonmises(2, 8, 200))),
        (Bernoulli, drawn(RNG.random(200) < 0.05, RNG.random(200) < 0.95)),
    ],
)
def test_any_family_tells_the_states(family, x):
    """sequence.21: emissions of any distribution."""
    model = HiddenMarkovModel(family, 2, random_state=0).fit(x)
    found = model.predict(x)
    assert max((found == STATE).mean(), (found != STATE).mean()) > 0.9
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-6


def test_mixed_columns():
    """sequence.21: a product of families for unlike columns, with gaps."""
    x = np.column_stack(
        [
            drawn(RNG.normal(0, 1, 200), RNG.normal(2, 1, 200)),
            drawn(RNG.poisson(1, 200), RNG.poisson(6, 200)),
        ]
    )
    x[5, 0], x[9] = np.nan, np.nan
    model = HiddenMarkovModel(ProductFamily([Normal, Poisson], [[0], [1]]), 2, random_state=0).fit(
        x
    )
    found = model.predict(x)
    assert max((found == STATE).mean(), (found != STATE).mean()) > 0.95
    assert model.n_parameters_ == 1 + 2 + 4 + 2
    assert model.sample(1, 5, random_state=0)[0][0].shape == (5, 2)


def test_the_named_model_is_thin_over_it():
    x = drawn(RNG.normal(0, 1, 200), RNG.normal(5, 1, 200))
    named = GaussianHMM(2, min_covar=0.0, random_state=0).fit(x)
    family = HiddenMarkovModel(MultivariateNormal, 2, random_state=0).fit(x[:, None])
    assert family.score(x) == pytest.approx(named.score(x), rel=1e-6)
    given = HiddenMarkovModel(Normal, 2, emission_init=Normal([5.0, 0.0], 1.0), random_state=0).fit(
        x
    )
    assert given.emission_.mean[0] > given.emission_.mean[1]


def test_what_is_no_family():
    with pytest.raises(ValueError, match="HiddenMarkovModel: emission must be a family"):
        HiddenMarkovModel("normal").fit([[1.0, 2.0]])
    assert HiddenMarkovModel(Categorical, 1).fit([[0, 1, 1]]).emission_.probabilities.shape == (
        1,
        2,
    )


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ([1.0, 2.0], "a distribution with 2 members, one for each law, got 'list'"),
        (Normal([0.0, 1.0, 2.0], 1.0), "a distribution with 2 members"),
        (Normal(0.0, 1.0), "a distribution with 2 members"),
        (Normal([[0.0, 1.0], [1.0, 2.0]], 1.0), "over rows of 1 columns"),
    ],
)
def test_laws_to_start_from_are_checked(init, message):
    with pytest.raises(ValueError, match=f"HiddenMarkovModel: emission_init must be {message}"):
        HiddenMarkovModel(Normal, 2, emission_init=init).fit([np.arange(10.0)])
