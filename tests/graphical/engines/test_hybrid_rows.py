"""Evidence of both kinds, and the posterior of the configurations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD
from margin.graphical.engines._hybrid_engine import HybridEngine

NET = BayesianNetwork.from_edges(
    [("b", "x"), ("a", "x"), ("a", "d")],
    {
        "a": [0.4, 0.6],
        "b": [0.2, 0.3, 0.5],
        "d": [[0.7, 0.3], [0.1, 0.9]],
        "x": ConditionalGaussianCPD(np.arange(6.0).reshape(3, 2), variance=0.5),
    },
)._model


def exact(x, d):
    """p(a, b | x, d) by Bayes' rule."""
    density = norm.pdf(x, np.arange(6.0).reshape(3, 2).T, np.sqrt(0.5))
    weight = np.array([0.4, 0.6])[:, None] * np.array([0.2, 0.3, 0.5]) * density
    return weight * np.array([[0.7, 0.3], [0.1, 0.9]])[:, d][:, None]


@pytest.mark.parametrize("targets", [("a",), ("b",), ("a", "b"), ("b", "a"), ("d", "b"), ()])
def test_posterior_of_targets_and_other_switches(targets):
    rows = HybridEngine(NET).rows({"x": 2.2, "d": 1})
    weight = exact(2.2, 1)
    axes = {"a": weight.sum(1), "b": weight.sum(0), "d": np.array([0.0, weight.sum()])}
    found = rows.posterior(targets)[0].sum(axis=-1)
    assert_allclose(found.sum(), 1, rtol=1e-12)
    for at, name in enumerate(targets):
        rest = tuple(k for k in range(len(targets)) if k != at)
        assert_allclose(found.sum(axis=rest), axes[name] / weight.sum(), rtol=1e-10)
    assert_allclose(rows.log_evidence, np.log(weight.sum()), rtol=1e-12)


def test_normals_follow_the_order_of_the_targets():
    rows = HybridEngine(NET).rows(None)
    means, spreads = rows.normals(("b", "a"), ["x"])
    assert_allclose(means[0, :, :, 0, 0], np.arange(6.0).reshape(3, 2))
    assert spreads.shape == (1, 3, 2, 1, 1, 1)
    turned, _ = rows.normals(("d", "a"), ["x"])
    assert turned.shape == (1, 1, 2, 3, 1)
    assert_allclose(turned[0, 0, :, :, 0], np.arange(6.0).reshape(3, 2).T)
