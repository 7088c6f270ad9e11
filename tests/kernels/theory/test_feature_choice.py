"""The choice of coordinates of a feature map (kernels.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    PolynomialFeatures,
    fourier_features,
    nystroem,
    select_features,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3))


def test_the_right_monomials_are_chosen():
    """kernels.33: polynomial coordinates with feature selection."""
    features = PolynomialFeatures(3, 2)
    y = X[:, 0] * X[:, 2] + 0.01 * rng.normal(size=300)
    chosen = select_features(features, X, y, 1)
    assert features.powers[chosen.features].tolist() == [[1, 0, 1]]
    assert_allclose(chosen(X)[:, 0], features(X)[:, chosen.features[0]])
    assert chosen.n_features == 1


def test_labels():
    labels = np.where(X[:, 1] ** 2 > 1.0, "far", "near")
    chosen = select_features(PolynomialFeatures(3, 2, coef0=0.0), X, labels, 1)
    assert chosen.map.powers[chosen.features].tolist() == [[0, 2, 0]]


def test_a_constant_coordinate_is_chosen_last():
    chosen = select_features(PolynomialFeatures(3, 1), X, X[:, 0], 3)
    assert 0 not in chosen.features


@pytest.mark.parametrize("make", ["fourier", "nystroem"])
def test_selection_of_approximate_features(make):
    if make == "fourier":
        features = fourier_features(RBF(1.0), 200, n_columns=3, rng=0)
    else:
        features = nystroem(RBF(1.0), X, 80, rng=0)
    chosen = select_features(features, X, np.sin(X[:, 0]), 40)
    assert chosen(X).shape == (300, 40)
    assert_allclose(chosen(X), features(X)[:, chosen.features])


@pytest.mark.parametrize("n", [0, 11])
def test_the_number_is_refused(n):
    with pytest.raises(ValueError, match="select_features: n must be an integer from 1 to 10"):
        select_features(PolynomialFeatures(3, 2), X, X[:, 0], n)
