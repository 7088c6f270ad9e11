import numpy as np
import pytest
from scipy.stats import kstest, multivariate_normal

from margin.datasets import make_disc_concept, make_gaussian_ring, make_rings


def test_rings_have_their_radii_and_uniform_angles():
    """datasets.18: radius per ring, spread, and uniformity of the angle."""
    rings = make_rings(30_000, radii=(1.0, 2.0, 4.0), noise=0.05, random_state=0)
    distance = np.linalg.norm(rings.data, axis=1)
    assert np.bincount(rings.target).tolist() == [10_000] * 3
    for ring, radius in enumerate(rings.radii):
        here = distance[rings.target == ring]
        assert here.mean() == pytest.approx(radius, abs=5 * 0.05 / 100)
        assert here.std() == pytest.approx(0.05, rel=0.05)
    angle = np.arctan2(rings.data[:, 1], rings.data[:, 0]) % (2 * np.pi)
    assert angle == pytest.approx(rings.angle)
    assert kstest(angle / (2 * np.pi), "uniform").pvalue > 1e-4


def test_rings_are_separable_in_the_radius_only():
    """datasets.18: no line separates concentric rings, the squared radius does."""
    rings = make_rings(200, radii=(1.0, 2.0), noise=0.05, random_state=1)
    square = (rings.data**2).sum(axis=1)
    assert square[rings.target == 0].max() < square[rings.target == 1].min()
    inner, outer = (rings.data[rings.target == k] for k in (0, 1))
    # The inner ring's mean lies inside the outer ring's hull, which every line through it cuts.
    for direction in np.column_stack([np.cos(np.arange(6)), np.sin(np.arange(6))]):
        projected = outer @ direction
        assert projected.min() < (inner.mean(axis=0) @ direction) < projected.max()


def test_gaussian_ring_density_against_scipy():
    """datasets.18: log density by SciPy, moments of the sample."""
    ring = make_gaussian_ring(20_000, n_components=5, radius=3.0, scale=0.4, random_state=0)
    density = sum(
        weight * multivariate_normal(mean, ring.covariance).pdf(ring.data)
        for weight, mean in zip(ring.weights, ring.means, strict=True)
    )
    assert ring.log_prob == pytest.approx(np.log(density))
    assert np.linalg.norm(ring.means, axis=1) == pytest.approx(np.full(5, 3.0))
    for k in range(5):
        here = ring.data[ring.target == k]
        error = 5 * 0.4 / np.sqrt(len(here))
        assert here.mean(axis=0) == pytest.approx(ring.means[k], abs=error)


def test_disc_concept_risk_and_sample_size():
    """datasets.18: one-sided error, exact risk, and the bound (1/eps) ln(1/delta)."""
    disc = make_disc_concept(400, radius=0.6, random_state=0)
    distance = np.linalg.norm(disc.data, axis=1)
    assert ((distance <= 0.6) == (disc.target == 1)).all()
    assert disc.tightest_radius == pytest.approx(distance[disc.target == 1].max())
    fresh = make_disc_concept(200_000, radius=0.6, random_state=1)
    guess = np.linalg.norm(fresh.data, axis=1) <= disc.tightest_radius
    assert not (guess & (fresh.target == 0)).any()
    risk = (guess != (fresh.target == 1)).mean()
    assert risk == pytest.approx(disc.tightest_risk, abs=5 * np.sqrt(disc.tightest_risk / 200_000))
    epsilon, delta = 0.1, 0.1
    n = int(np.ceil(np.log(1 / delta) / epsilon))
    rng = np.random.default_rng(2)
    risks = [make_disc_concept(n, random_state=rng).tightest_risk for _ in range(1000)]
    failures = np.mean(np.array(risks) > epsilon)
    # The bound is (1 - eps)^n, here 0.0886.
    assert failures == pytest.approx((1 - epsilon) ** n, abs=5 * np.sqrt(0.09 / 1000))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="make_rings: radii must be"):
        make_rings(radii=(1.0, -2.0))
    with pytest.raises(ValueError, match="make_rings: radii must be"):
        make_rings(radii=())
    with pytest.raises(ValueError, match="make_gaussian_ring: scale must be"):
        make_gaussian_ring(scale=0.0)
    with pytest.raises(ValueError, match="make_disc_concept: radius must be"):
        make_disc_concept(radius=1.5)
