"""Posterior of a linear dynamical system."""

import numpy as np
import pytest

from margin.distributions import MixtureDistribution
from margin.inference import LinearSystem, kalman_log_likelihood, kalman_smoother, simulate
from margin.sequence import BayesianLinearDynamicalSystem

TRUE = LinearSystem([[0.9]], [[1.0], [-0.5]], [[0.5]], 0.2 * np.eye(2), cov=[[1.0]])
Y = simulate(TRUE, 150, np.random.default_rng(0))[1]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
MODEL = BayesianLinearDynamicalSystem(1, n_draws=80, n_warmup=80, random_state=0).fit([Y])


def test_draws_are_as_likely_as_the_truth():
    """sequence.38: eigenvalue, noise and likelihood of the draws are near the truth."""
    eigen = [MODEL.parameters(i).A[0, 0] for i in range(len(MODEL.draws_))]
    assert np.mean(eigen) == pytest.approx(0.9, abs=0.1)
    noise = np.mean([np.diagonal(MODEL.parameters(i).R) for i in range(0, 160, 8)])
    assert noise == pytest.approx(0.2, abs=0.08)
    truth = float(kalman_log_likelihood(TRUE, Y)[0])
    assert MODEL.log_prob([Y])[0] > truth - 15
    assert MODEL.score([Y]) == pytest.approx(MODEL.log_prob([Y])[0] / 150)


def test_forecasts_mix_the_draws():
    ahead = MODEL.forecast(3)
    assert isinstance(ahead, MixtureDistribution)
    assert ahead.mean.shape == (3, 2)
    short = BayesianLinearDynamicalSystem(1, n_draws=40, n_warmup=40, random_state=0)
    with np.errstate(all="ignore"):
        few = short.fit([Y[-12:]]).forecast(3)
    assert few.var[2].sum() > ahead.var[2].sum()


def test_holes_and_refusals():
    rows = Y[:40].copy()
    rows[5:8] = rows[20, 0] = np.nan
    model = BayesianLinearDynamicalSystem(1, n_draws=30, n_warmup=30, random_state=1).fit([rows])
    assert np.isfinite(model.score([rows]))
    with pytest.raises(ValueError, match="n_draws must be an integer of at least 1"):
        BayesianLinearDynamicalSystem(n_draws=0).fit([rows])
    with pytest.raises(ValueError, match="X must be observed somewhere"):
        BayesianLinearDynamicalSystem().fit([np.full(4, np.nan)])


def test_gaps_are_filled_by_every_draw():
    """Against each draw's own smoother; a time beyond the end is a forecast."""
    rows = Y[:30].copy()
    rows[10:13] = np.nan
    found = MODEL.query(rows, [11, 31])
    assert found.mean.shape == (2, 2)
    wide = np.vstack([rows, np.full((2, 2), np.nan)])
    each = []
    for p in MODEL._some():
        smoothed = kalman_smoother(p.system(), wide)
        each.append(smoothed.mean[[11, 31]] @ p.C.T + p.d)
    np.testing.assert_allclose(found.mean, np.mean(each, axis=0))
    np.testing.assert_allclose(found.mean[1], MODEL.forecast(2, rows).mean[1])
    np.testing.assert_allclose(found.var[1], MODEL.forecast(2, rows).var[1])
