"""What learners of linear equations share."""

import numpy as np
import pytest
from equations import linear_world

from margin.causal import DirectLiNGAM, ICALiNGAM
from margin.causal.discovery.lingam._linear_discoverer import normality_notes

LEARNERS = [DirectLiNGAM(), ICALiNGAM(random_state=0)]


@pytest.mark.parametrize("model", LEARNERS)
def test_normal_noise_is_noted(model):
    X, _ = linear_world(4, 1000, 0, noise="normal")
    notes = " ".join(model.fit(X).fit_report_.notes)
    assert "cannot be told from normal" in notes
    X, _ = linear_world(4, 1000, 0)
    assert "normal" not in " ".join(model.fit(X).fit_report_.notes)


def test_one_normal_noise_is_no_trouble():
    rng = np.random.default_rng(0)
    noise = np.column_stack([rng.normal(size=400), rng.uniform(size=400)])
    assert normality_notes(noise, ("a", "b")) == ()
    assert normality_notes(rng.normal(size=(10, 3)), tuple("abc")) == ()
    many = rng.normal(size=(100, 9))
    assert "…" in normality_notes(many, tuple(range(9)))[0]


@pytest.mark.parametrize("model", LEARNERS)
def test_one_regression_along_any_order(model):
    """Without pruning the effects are those of least squares on everything before."""
    X, _ = linear_world(4, 500, 5)
    model = type(model)(prune=None).fit(X)
    X = X - X.mean(axis=0)
    for place, target in enumerate(model.order_):
        before = list(model.order_[:place])
        slopes = np.linalg.lstsq(X[:, before], X[:, target])[0]
        np.testing.assert_allclose(model.adjacency_[target, before], slopes, atol=1e-9)
