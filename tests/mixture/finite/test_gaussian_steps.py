"""The two steps of a Gaussian mixture."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.inference import Repaired
from margin.mixture.finite._gaussian_steps import GaussianSteps, gaussian_fit
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._row_groups import Table

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 2))
SCALE = X.var(axis=0)
SPREADS = {
    "full": np.stack([np.eye(2)] * 2),
    "tied": np.eye(2),
    "diag": np.ones((2, 2)),
    "spherical": np.ones(2),
}


def problem(kind, ridge=0.0, rows=X):
    split = kind in ("full", "tied")
    at = Gaussians.of(np.array([0.5, 0.5]), np.array([[-1.0, 0], [1, 0]]), SPREADS[kind], kind)[0]
    return GaussianSteps(Table.of(rows, None, split=split), ridge, SCALE), at


@pytest.mark.parametrize("kind", SPREADS)
def test_the_m_step_is_the_textbook(kind):
    """mixture.02: weighted means and covariances, by their definitions."""
    steps, at = problem(kind, 0.01)
    stats = steps.expect(at).statistics
    new = steps.maximise(stats, at)
    joint = at.distribution().responsibilities(X)
    joint = joint * np.exp(-0.005 * at.traces)
    share = joint / joint.sum(axis=1, keepdims=True)
    total = share.sum(axis=0)
    assert_allclose(new.weights, total / 50)
    mean = share.T @ X / total[:, None]
    assert_allclose(new.means, mean)
    each = [((X - m).T * share[:, k]) @ (X - m) for k, m in enumerate(mean)]
    each = np.array(each) / total[:, None, None] + 0.01 * np.eye(2)
    variances = np.diagonal(each, axis1=1, axis2=2)
    expected = {
        "full": each,
        "tied": (each * total[:, None, None]).sum(axis=0) / 50,
        "diag": variances,
        "spherical": variances.mean(axis=1),
    }[kind]
    assert_allclose(new.covariances, expected)


@pytest.mark.parametrize("kind", SPREADS)
def test_a_component_without_rows_rests(kind):
    """mixture.03."""
    steps, at = problem(kind)
    far = Gaussians.of(at.weights, np.array([[0.0, 0], [1e5, 0]]), SPREADS[kind], kind)[0]
    new = steps.maximise(steps.expect(far).statistics, far)
    assert isinstance(new, Repaired)
    assert new.repairs == ("component 1 has no rows left: it rests",)
    assert_allclose(new.parameters.weights, [1.0, 0.0])
    again = steps.maximise(steps.expect(new.parameters).statistics, new.parameters)
    assert not isinstance(again, Repaired)


@pytest.mark.parametrize("kind", ["full", "diag", "tied"])
def test_collapse_is_refused_without_a_ridge(kind):
    """mixture.03: a column that does not vary."""
    rows = np.column_stack([X[:, 0], np.ones(50)])
    steps, at = problem(kind, rows=rows)
    with pytest.raises(FitError, match="collapsed"):
        gaussian_fit(steps.expect(at).statistics, at, 0.0, SCALE)
    assert np.isfinite(gaussian_fit(steps.expect(at).statistics, at, 1e-6, SCALE).roots).all()


def test_temperature():
    """inference.30: at beta 1 it is the plain step."""
    steps, at = problem("full", 0.01)
    assert_allclose(steps.at_beta(at, 1.0).bound, steps.expect(at).bound)
    hot = steps.at_beta(at, 1e-6).statistics.total
    assert_allclose(hot, 25, rtol=1e-3)
