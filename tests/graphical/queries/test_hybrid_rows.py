"""Evidence of both kinds, and the posterior of the configurations."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD
from margin.graphical.queries._hybrid_rows import hybrid_rows

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
    rows = hybrid_rows(NET, {"x": 2.2, "d": 1})
    weight = exact(2.2, 1)
    axes = {"a": weight.sum(1), "b": weight.sum(0), "d": np.array([0.0, weight.sum()])}
    found = rows.posterior(targets)[0].sum(axis=-1)
    assert_allclose(found.sum(), 1, rtol=1e-12)
    for at, name in enumerate(targets):
        rest = tuple(k for k in range(len(targets)) if k != at)
        assert_allclose(found.sum(axis=rest), axes[name] / weight.sum(), rtol=1e-10)
    assert_allclose(rows.log_evidence, np.log(weight.sum()), rtol=1e-12)


def test_normals_follow_the_order_of_the_targets():
    rows = hybrid_rows(NET, None)
    means, spreads = rows.normals(("b", "a"), ["x"])
    assert_allclose(means[0, :, :, 0, 0], np.arange(6.0).reshape(3, 2))
    assert spreads.shape == (1, 3, 2, 1, 1, 1)
    turned, _ = rows.normals(("d", "a"), ["x"])
    assert turned.shape == (1, 1, 2, 3, 1)
    assert_allclose(turned[0, 0, :, :, 0], np.arange(6.0).reshape(3, 2).T)


def test_refusals():
    with pytest.raises(ValueError, match="evidence on 'x' must be a number"):
        hybrid_rows(NET, {"x": "tall"})
    with pytest.raises(ValueError, match="evidence on 'x' must be finite"):
        hybrid_rows(NET, pd.DataFrame({"x": [np.inf]}))
    with pytest.raises(ValueError, match="must be None, a mapping or a data frame, got list"):
        hybrid_rows(NET, [1])
