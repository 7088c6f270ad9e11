"""Mixtures as vectors of free numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Exponential,
    Gamma,
    InverseGamma,
    Laplace,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    Product,
    StudentT,
)
from margin.mixture.families._component_vector import ComponentVector, has_vector

WIDE = np.array([[2.0, 0.5], [0.5, 1.0]])
COMPONENTS = [
    Normal([1.0, -2.0], [2.0, 0.3]),
    Laplace([1.0], [2.0]),
    Exponential([0.3]),
    Poisson([2.5]),
    Gamma([2.0], [3.0]),
    InverseGamma([2.0], [3.0]),
    Beta([2.0], [3.0]),
    Bernoulli([0.2, 0.7]),
    Binomial([5.0], [0.2]),
    Categorical([[0.2, 0.3, 0.5]]),
    MultivariateNormal([1.0, 2.0], WIDE),
    Product([Normal([1.0], [2.0]), Categorical([[0.2, 0.8]])], [[1], [0]]),
]


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda c: type(c).__name__)
def test_there_and_back(component):
    pair = MixtureDistribution([0.3, 0.7], [component, component])
    form = ComponentVector(pair, (False, True))
    free = form.to_vector(pair)
    back = form.from_vector(free)
    assert has_vector(component)
    assert back.components[1] is component
    rows = np.ones((3, *pair.event))
    rows = np.minimum(rows, 0.5) if isinstance(component, Beta) else rows
    assert_allclose(back.log_prob(rows), pair.log_prob(rows), rtol=1e-12)
    moved = form.from_vector(free + np.linspace(0.1, 0.2, len(free)))
    assert np.abs(moved.log_prob(rows) - pair.log_prob(rows)).max() > 1e-6


def test_what_means_nothing_is_dropped():
    pair = MixtureDistribution([0.5, 0.5], [Normal(0.0, 1.0), Normal(1.0, 1.0)])
    form = ComponentVector(pair, (False, False))
    free = form.to_vector(pair)
    assert form.from_vector(free * 1e200) is None
    assert form.from_vector(free + np.array([0, 0, 0, 900.0, 0, 0])) is None


def test_families_without_free_numbers_are_known():
    assert not has_vector(StudentT(3.0))
    assert not has_vector(MultivariateNormal([0.0, 1.0], variance=[1.0, 2.0]))
    assert has_vector(MultivariateNormal)
