import numpy as np
import pytest

from margin.sequence import GMMHMM, GaussianHMM


def test_one_component_is_the_gaussian_model():
    """sequence.21: M = 1."""
    rng = np.random.default_rng(0)
    x = np.repeat([0.0, 5.0, 0.0], 40) + rng.normal(size=120)
    mixed, plain = GMMHMM(2, 1, random_state=0).fit(x), GaussianHMM(2, random_state=0).fit(x)
    assert mixed.score(x) == pytest.approx(plain.score(x), rel=1e-4)


@pytest.mark.parametrize("kind", ["full", "diag", "spherical"])
def test_mixtures_in_states_and_no_fall(kind):
    """sequence.21: two components of one state are told from two states."""
    rng = np.random.default_rng(1)
    far = rng.choice([-8.0, 8.0], size=(150, 1)) + rng.normal(size=(150, 2))
    x = np.concatenate([rng.normal(size=(150, 2)), far, rng.normal(size=(150, 2))])
    x[10, 0] = np.nan
    model = GMMHMM(2, 2, kind, random_state=0, n_init=3).fit(x)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-6
    state = model.predict(x)
    assert (state[:150] == state[0]).mean() > 0.95
    assert (state[150:300] != state[0]).mean() > 0.95
    assert model.means_.shape == (2, 2, 2)
    assert model.covariances_.shape == (2, 2, 2, 2)
    np.testing.assert_allclose(model.weights_.sum(axis=1), 1.0)
    assert model.sample(1, 20, random_state=0)[0][0].shape == (20, 2)
    assert np.isfinite(model.forecast(1, x).mean).all()


def test_refusals():
    with pytest.raises(ValueError, match="GMMHMM: n_mix must be"):
        GMMHMM(2, 0).fit([[1.0, 2.0]])
