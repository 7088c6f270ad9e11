import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline

from margin.core import Status
from margin.linear import GeneralisedAdditiveModel


def parts(X):
    return np.column_stack(
        [np.sin(6 * X[:, 0]), 2 * X[:, 1], 4 * (X[:, 2] - 0.5) ** 2, np.zeros(len(X))]
    )


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(400, 4))
    return X, parts(X).sum(axis=1) + 0.3 * rng.normal(size=400)


@pytest.fixture(scope="module")
def model(data):
    return GeneralisedAdditiveModel().fit(*data)


def test_recovers_the_functions(data, model):
    """linear.21: bent where the truth bends, a line where it is one, flat where it is nothing."""
    X, _ = data
    effects, _ = model.partial_effects(X)
    wanted = parts(X) - parts(X).mean(axis=0)
    assert np.sqrt(np.mean((effects - wanted) ** 2, axis=0)).max() < 0.08
    bent, line, curved, nothing = model.effective_dof_
    assert bent > curved > 3 > 1.6 > max(line, nothing)
    assert model.noise_variance_ == pytest.approx(0.09, rel=0.15)


def test_standard_errors_of_the_functions():
    """linear.21: over many samples, intervals of two standard errors cover about 95 %."""
    covered = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.uniform(size=(150, 4))
        y = parts(X).sum(axis=1) + 0.3 * rng.normal(size=150)
        effects, errors = GeneralisedAdditiveModel(n_knots=12).fit(X, y).partial_effects(X)
        wanted = parts(X) - parts(X).mean(axis=0)
        covered.append(np.mean(np.abs(effects - wanted) < 2 * errors, axis=0))
    share = np.mean(covered, axis=0)
    assert share.min() > 0.85
    assert 0.9 < share.mean() < 0.99


def test_effects_sum_to_the_prediction_and_have_mean_zero(data, model):
    X, y = data
    effects, _ = model.partial_effects(X)
    np.testing.assert_allclose(effects.sum(axis=1) + model.intercept_, model.predict(X))
    np.testing.assert_allclose(effects.mean(axis=0), 0, atol=1e-12)
    assert model.intercept_ == pytest.approx(y.mean())


@pytest.mark.parametrize("alpha", [1e-6, 1e-3, 1.0])
def test_one_feature_with_all_knots_is_the_smoothing_spline(alpha):
    """linear.21 and linear.18: the same minimum as SciPy's, alpha in units of the range."""
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(2.0, 5.0, size=40))
    y = np.sin(3 * x) + 0.2 * rng.normal(size=40)
    ours = GeneralisedAdditiveModel(alpha=alpha, n_knots=40).fit(x[:, None], y)
    theirs = make_smoothing_spline(x, y, lam=alpha * np.ptp(x) ** 3)
    np.testing.assert_allclose(ours.predict(x[:, None]), theirs(x), atol=1e-6)


def test_given_strengths_solve_the_normal_equations(data):
    """linear.21: no change of the coefficients lowers the penalised sum of squares."""
    X, y = data
    weight = np.arange(400) % 3 + 0.5
    model = GeneralisedAdditiveModel(alpha=[0.01, 1.0, 0.1, 5.0], n_knots=6)
    model.fit(X, y, sample_weight=weight)
    columns = np.hstack([b.columns(x) for b, x in zip(model.bases_, X.T, strict=True)])
    penalty = np.concatenate([[1e-8 * weight.sum(), *[a] * 6] for a in model.alpha_])
    residual = y - model.predict(X)
    np.testing.assert_allclose(weight @ residual, 0, atol=1e-8)
    np.testing.assert_allclose(
        columns.T @ (weight * residual), penalty * model.weights_, rtol=1e-6, atol=1e-6
    )


def test_effective_degrees_of_freedom_are_the_trace_of_the_hat_matrix(data):
    """linear.21: by moving one target at a time."""
    X, y = data[0][:60], data[1][:60]
    kept = GeneralisedAdditiveModel(alpha=[0.01, 1.0, 0.1, 5.0], n_knots=6).fit(X, y)
    trace = sum(
        GeneralisedAdditiveModel(alpha=kept.alpha_, n_knots=6).fit(X, y + e).predict(X)[i]
        - kept.predict(X)[i]
        for i, e in enumerate(np.eye(60))
    )
    assert trace == pytest.approx(1 + kept.effective_dof_.sum(), abs=1e-6)


def test_limits_of_the_penalty(data):
    """linear.21: without bending it is linear regression, by parts without it interpolates more."""
    X, y = data
    stiff = GeneralisedAdditiveModel(alpha=1e12).fit(X, y)
    design = np.column_stack([np.ones(400), X])
    line = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    np.testing.assert_allclose(stiff.predict(X), line, atol=1e-5)
    np.testing.assert_allclose(stiff.effective_dof_, 1, atol=1e-4)
    squares = [
        np.sum((y - GeneralisedAdditiveModel(alpha=a).fit(X, y).predict(X)) ** 2)
        for a in (1e-6, 1e-3, 1.0, 1e3)
    ]
    assert squares == sorted(squares)


def test_search_ends_at_a_stationary_point(data, model):
    report = model.fit_report_
    assert report.status is Status.CONVERGED
    assert report.certificate.holds
    assert np.diff(report.trace["objective"]).max() <= 1e-12
    assert model.n_iter_ < 30


def test_intervals_cover(model):
    rng = np.random.default_rng(5)
    X = rng.uniform(size=(2000, 4))
    y = parts(X).sum(axis=1) + 0.3 * rng.normal(size=2000)
    found = model.predict_dist(X)
    inside = (found.quantile(0.05) < y) & (y < found.quantile(0.95))
    assert 0.86 < inside.mean() < 0.94


def test_bad_parameters_are_refused(data):
    for alpha in (0.0, -1.0, "gcv", [1.0, 2.0], np.nan):
        with pytest.raises(ValueError, match='alpha must be "reml", a number above 0'):
            GeneralisedAdditiveModel(alpha=alpha).fit(*data)
    with pytest.raises(ValueError, match="n_knots must be an integer of at least 3, got 2"):
        GeneralisedAdditiveModel(n_knots=2).fit(*data)
