"""Feature maps, parts of them and several side by side (kernels.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, PolynomialFeatures, fourier_features

X = np.random.default_rng(0).normal(size=(300, 3))


def test_some_coordinates_of_a_map():
    whole = PolynomialFeatures(3, 2)
    part = whole.select([4, 1])
    assert part.n_features == 2
    assert_allclose(part(X), whole(X)[:, [4, 1]])


def test_maps_of_a_sum_stand_side_by_side():
    """The scalar products of joined features are the sums of those of the parts."""
    joined = fourier_features(RBF(1.0) + RBF(3.0), 40, n_columns=3, rng=0)
    assert joined.n_features == sum(part.n_features for part in joined.maps)
    parts = [part(X) for part in joined.maps]
    assert_allclose(joined(X) @ joined(X).T, sum(F @ F.T for F in parts), rtol=1e-9, atol=1e-12)


def test_indices_are_refused():
    for bad in ([], [10], [-1]):
        with pytest.raises(ValueError, match="SelectedFeatures: features must be"):
            PolynomialFeatures(3, 2).select(bad)
