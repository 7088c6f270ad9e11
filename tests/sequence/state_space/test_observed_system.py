"""Systems that are seen: eigenvalues, stationary law, least squares."""

import numpy as np
import pytest

from margin.sequence import ObservedLinearSystem, propagate


def test_eigenvalues_do_what_products_do():
    """sequence.26: P L^t P^-1 v; a rotation keeps its norm; equal eigenvectors are no obstacle."""
    rng = np.random.default_rng(0)
    A, v = rng.normal(size=(4, 4)) / 2, rng.normal(size=4)
    for t in (0, 1, 7):
        np.testing.assert_allclose(propagate(A, v, t), np.linalg.matrix_power(A, t) @ v, atol=1e-9)
    turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    norms = np.linalg.norm(propagate(turn, [3.0, 4.0], np.arange(200)), axis=1)
    np.testing.assert_allclose(norms, 5.0)
    shear = np.array([[1.0, 1.0], [0.0, 1.0]])
    np.testing.assert_allclose(propagate(shear, [0.0, 1.0], 10), [10.0, 1.0])


@pytest.mark.parametrize(
    ("a", "word"), [(0.5, "stable"), (-0.5, "stable"), (1.3, "explosive"), (-1.3, "explosive")]
)
def test_stability(a, word):
    """sequence.26: the size of the eigenvalue decides, not its sign."""
    model = ObservedLinearSystem(fit_intercept=False).fit([a ** np.arange(12.0)])
    assert model.stability_ == word
    assert model.transition_[0, 0] == pytest.approx(a)


def test_stationary_law():
    """sequence.27: mean and covariance of a long run."""
    rng = np.random.default_rng(1)
    A, b = np.array([[0.8, 0.2], [-0.1, 0.5]]), np.array([1.0, 0.0])
    v = np.zeros((20_000, 2))
    for t in range(1, len(v)):
        v[t] = A @ v[t - 1] + b + rng.normal(size=2)
    model = ObservedLinearSystem().fit([v[100:]])
    law = model.stationary()
    np.testing.assert_allclose(law.mean, v[100:].mean(axis=0), atol=0.05)
    np.testing.assert_allclose(law.covariance, np.cov(v[100:].T), rtol=0.1, atol=0.1)
    ahead = model.forecast(300)
    np.testing.assert_allclose(ahead.mean[-1], law.mean, atol=1e-6)
    np.testing.assert_allclose(ahead.var[-1], law.var, atol=1e-6)


def test_likelihood_is_that_of_the_steps():
    v = np.array([1.0, 2.0, 1.5, 3.0, 2.0])
    model = ObservedLinearSystem().fit([v])
    s = model.noise_cov_[0, 0]
    rest = v[1:] - model.transition_[0, 0] * v[:-1] - model.intercept_[0]
    true = -0.5 * (rest @ rest / s + 4 * np.log(s) + 5 * np.log(2 * np.pi))
    assert model.log_prob([v])[0] == pytest.approx(true)
    assert model.score([v]) == pytest.approx(true / 5)


def test_refusals():
    model = ObservedLinearSystem(fit_intercept=False).fit([1.3 ** np.arange(8.0)])
    with pytest.raises(ValueError, match="LinearSystem: stationary must be of a model"):
        model.stationary()
    with pytest.raises(ValueError, match="X must be observed everywhere"):
        ObservedLinearSystem().fit([np.array([1.0, np.nan])])
    with pytest.raises(ValueError, match="X must be of at least 2 steps"):
        ObservedLinearSystem().fit([np.array([1.0])])
