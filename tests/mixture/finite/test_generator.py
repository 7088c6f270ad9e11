"""The generator of finite Bayesian mixtures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import draw_gaussian_mixture


def test_moments_of_what_is_drawn():
    """mixture.07: weights on the simplex, means and rows spread as the prior says."""
    many = [draw_gaussian_mixture(50, 4, concentration=8.0, random_state=s) for s in range(400)]
    weights = np.array([m.mixture.weights for m in many])
    assert_allclose(weights.mean(axis=0), 0.25, atol=0.02)
    # Dirichlet(2, 2, 2, 2): variance (1/4)(3/4) / 9.
    assert_allclose(weights.var(axis=0), 0.1875 / 9, atol=0.005)
    means = np.array([c.mean for m in many for c in m.mixture.components])
    assert_allclose(means.std(axis=0), 3.0, atol=0.2)
    rows = np.concatenate([m.X for m in many])
    assert_allclose(rows.var(axis=0), 9 + 1, atol=1.2)


def test_rows_belong_to_their_components():
    """mixture.07."""
    drawn = draw_gaussian_mixture(
        3000, 3, concentration=30.0, mean=[10.0], noise=0.1, random_state=1
    )
    assert drawn.X.shape == (3000, 1)
    for k, part in enumerate(drawn.mixture.components):
        mine = drawn.X[drawn.labels == k]
        assert_allclose(mine.mean(), part.mean[0], atol=0.02)
        assert_allclose(mine.std(), 0.1, atol=0.01)
    one = draw_gaussian_mixture(3, 1, random_state=0)
    assert one.mixture.weights.tolist() == [1.0]


@pytest.mark.parametrize("name", ["n_samples", "n_components", "concentration", "spread", "noise"])
def test_bad_settings_are_refused(name):
    options = {"n_samples": 3, "n_components": 2, name: 0}
    with pytest.raises(ValueError, match=f"draw_gaussian_mixture: {name} must be"):
        draw_gaussian_mixture(**options)
