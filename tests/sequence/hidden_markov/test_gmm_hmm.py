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


def test_a_given_start_is_the_first_of_the_climb():
    """sequence.21: the first objective is the likelihood of what was given."""
    x = np.random.default_rng(2).normal(size=(30, 1))
    means = np.array([[[-1.0], [0.0]], [[1.0], [2.0]]])
    given = {
        "weights_init": [[0.2, 0.8], [0.5, 0.5]], "means_init": means,
        "covariances_init": np.full((2, 2, 1, 1), 0.7), "start_init": [0.5, 0.5],
        "transition_init": [[0.9, 0.1], [0.3, 0.7]], "min_covar": 0.0,
    }  # fmt: skip
    fixed = GMMHMM(2, 2, fixed=("start", "transition", "emission"), **given).fit(x)
    np.testing.assert_allclose(fixed.means_, means)
    np.testing.assert_allclose(fixed.weights_, given["weights_init"])
    model = GMMHMM(2, 2, tol=1e-3, **given).fit(x)
    assert -model.fit_report_.trace["objective"][0] == pytest.approx(30 * fixed.score(x))
    assert model.score(x) > fixed.score(x)
    plain = GMMHMM(2, 2, means_init=means, fixed=("emission",), random_state=0, tol=1e-3).fit(x)
    np.testing.assert_allclose(plain.covariances_, np.var(x), rtol=1e-9)


def test_refusals():
    with pytest.raises(ValueError, match="GMMHMM: weights_init must be given with means_init"):
        GMMHMM(2, 1, weights_init=[[1.0], [1.0]]).fit([[1.0, 2.0]])
    with pytest.raises(
        ValueError, match=r"GMMHMM: means_init must be finite, of shape \(2, 1, 1\)"
    ):
        GMMHMM(2, 1, means_init=[[1.0], [1.0]]).fit([1.0, 2.0])
    with pytest.raises(ValueError, match="GMMHMM: n_mix must be"):
        GMMHMM(2, 0).fit([[1.0, 2.0]])
