import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance, fit_model, fitted_values


@pytest.fixture(scope="module")
def data():
    frame = study(400, np.random.default_rng(0))
    return effect_data("A", frame, ("t",), "y", tuple(COVARIATES))


def test_defaults_agree_with_scikit_learn(data):
    """causal.19"""
    ours = Nuisance()
    other = Nuisance(LogisticRegression(C=1e8, tol=1e-10, max_iter=500), LinearRegression())
    folds = ours.folds(data)
    for f in (None, folds):
        assert_allclose(ours.propensities(data, f), other.propensities(data, f), atol=1e-5)
        assert_allclose(ours.outcomes(data, f), other.outcomes(data, f), atol=1e-9)
    plain = Nuisance(outcome_model=LinearRegression())
    assert_allclose(ours.mean_outcome(data, folds), plain.mean_outcome(data, folds), atol=1e-9)


def test_long_studies_take_a_step_for_each_fold():
    frame = study(6000, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    weighted = data.weighted(np.random.default_rng(1).uniform(0.5, 2, 6000))
    fits = Nuisance(LogisticRegression(C=1e8, tol=1e-10, max_iter=500))
    folds = Nuisance().folds(data)
    for rows in (data, weighted):
        step, fit = (n.propensities(rows, folds) for n in (Nuisance(), fits))
        alone = Nuisance().propensities(rows)
        assert np.abs(step - fit).max() < 1e-3
        assert np.abs(step - fit).max() < 0.1 * np.abs(alone - fit).max()


def test_folds_are_even_within_levels(data):
    counts = np.bincount(Nuisance(n_folds=4).folds(data) * 2 + data.arms)
    assert np.ptp(counts.reshape(4, 2), axis=0).max() <= 1
    with pytest.raises(ValueError, match="n_folds must be at most"):
        Nuisance(n_folds=399).folds(data)


def test_weights_reach_every_kind_of_model():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 5.0])
    w = np.array([1.0, 1.0, 3.0])
    rows = np.array([0, 1, 2, 2, 2])
    long = LinearRegression().fit(X[rows], y[rows]).predict(X)
    assert_allclose(fit_model("A", LinearRegression(), X, y, w).predict(X), long)
    piped = make_pipeline(StandardScaler(), LinearRegression())
    assert_allclose(fit_model("A", piped, X, y, w).predict(X), long)
    near = fit_model("A", KNeighborsRegressor(2), X, y, w)
    assert near.n_samples_fit_ == 5
    with pytest.raises(ValueError, match="whole numbers for a model without weights"):
        fit_model("A", KNeighborsRegressor(2), X, y, np.array([1.0, 1.5, 1.0]))


def test_classifiers_give_mean_outcomes():
    X, y = np.zeros((4, 1)), np.array([0.0, 1.0, 1.0, 1.0])
    values = fitted_values("A", LogisticRegression(), X, y, np.ones(4), X[:1])
    assert_allclose(values, 0.75, atol=1e-3)
    assert fitted_values("A", LogisticRegression(), X, np.ones(4), np.ones(4), X[:1]) == 1


def test_a_row_without_a_chance_is_named():
    x = np.linspace(-1, 1, 40)
    frame = {"t": (x > 0).astype(int), "y": x, "x": x}
    data = effect_data("A", frame, ("t",), "y", ("x",))
    with pytest.raises(
        ValueError, match=r"A: overlap must hold.*propensity 0 of level 0 in .* rows"
    ):
        Nuisance().propensities(data)
    assert Nuisance(clip=0.1).propensities(data).min() == pytest.approx(0.1)
    with pytest.raises(ValueError, match="propensity_model must be a classifier"):
        Nuisance(LinearRegression()).propensities(data)
