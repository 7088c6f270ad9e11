import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn import naive_bayes as peer
from sklearn.datasets import load_iris, load_wine

from margin.distributions import ColumnMoments, NormalInverseGamma
from margin.linear import GaussianNB


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3]])
def test_agrees_with_scikit_learn(load, priors):
    """linear.43"""
    X, y = load(return_X_y=True)
    ours = GaussianNB(priors=priors).fit(X, y)
    theirs = peer.GaussianNB(priors=priors).fit(X, y)
    for name in ("theta_", "var_", "class_count_", "class_prior_", "epsilon_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(
        ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-10, atol=1e-10
    )


def test_agrees_with_scikit_learn_on_weights():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y))
    ours = GaussianNB(var_smoothing=0.0).fit(X, y, weight)
    theirs = peer.GaussianNB(var_smoothing=0.0).fit(X, y, weight)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


@pytest.mark.parametrize("estimate", ["ml", "map", "bayes"])
def test_batches_add_up_to_the_whole(estimate):
    X, y = load_iris(return_X_y=True)
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    whole = GaussianNB(estimate=estimate).fit(X, y)
    parts = GaussianNB(estimate=estimate)
    for rows in np.array_split(np.arange(len(y)), 7):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.theta_, whole.theta_, rtol=1e-10)
    np.testing.assert_allclose(parts.var_, whole.var_, rtol=1e-9)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    assert parts.fit_report_.objective == pytest.approx(whole.fit_report_.objective)


def test_missing_values_are_integrated_out():
    """The density without a column is the integral over it, and the fit is that of what is seen."""
    X, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(X[:, :2], y)
    row = np.array([[5.5, np.nan]])
    hidden = np.exp(model.log_joint(row))[0]
    for k in range(3):
        whole = quad(lambda v, k=k: np.exp(model.log_joint([[5.5, v]])[0, k]), -5, 15)[0]
        assert hidden[k] == pytest.approx(whole, rel=1e-8)
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    fitted = GaussianNB(var_smoothing=0.0).fit(holes, y)
    expected = [np.nanmean(holes[y == k], axis=0) for k in range(3)]
    np.testing.assert_allclose(fitted.theta_, expected, rtol=1e-12)
    expected = [np.nanvar(holes[y == k], axis=0) for k in range(3)]
    np.testing.assert_allclose(fitted.var_, expected, rtol=1e-9)


def test_objective_is_the_mean_negative_log_joint():
    X, y = load_wine(return_X_y=True)
    model = GaussianNB().fit(X, y)
    own = model.log_joint(X)[np.arange(len(y)), y]
    assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-10)


def test_map_is_the_mode_and_bayes_the_integral_over_the_posterior():
    """MAP and full Bayes against the conjugate prior, by sampling the posterior."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((12, 1)), np.repeat([0, 1], [4, 8])
    prior = NormalInverseGamma(X.mean(0), 2.0, 1.0, 1.0 * X.var(0))
    mode = GaussianNB(estimate="map", prior_strength=2.0, var_smoothing=0.0).fit(X, y)
    full = GaussianNB(estimate="bayes", prior_strength=2.0, var_smoothing=0.0).fit(X, y)
    for k in range(2):
        belief = prior.posterior(ColumnMoments.of(X[y == k]))
        mean, variance = belief.mode
        np.testing.assert_allclose([mode.theta_[k], mode.var_[k]], [mean, variance], rtol=1e-10)
        var = belief.scale / rng.standard_gamma(belief.shape, size=200_000)
        mu = belief.mean + np.sqrt(var / belief.strength) * rng.standard_normal(200_000)
        expected = norm.pdf(0.7, mu, np.sqrt(var)).mean() * full.class_prior_[k]
        assert np.exp(full.log_joint([[0.7]])[0, k]) == pytest.approx(expected, rel=0.01)
    assert full.df_[0, 0] < full.df_[1, 0]


def test_estimates_agree_on_much_data():
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=20_000)
    X = rng.standard_normal((20_000, 3)) + y[:, None]
    models = [GaussianNB(estimate=estimate) for estimate in ("ml", "map", "bayes")]
    answers = [model.fit(X, y).predict_proba(X[:50]) for model in models]
    np.testing.assert_allclose(answers[1], answers[0], atol=2e-3)
    np.testing.assert_allclose(answers[2], answers[0], atol=2e-3)


def test_zero_variance_without_smoothing_is_repaired_and_said():
    X, y = [[1.0, 3.0], [1.0, 4.0], [2.0, 9.0], [3.0, 8.0]], [0, 0, 1, 1]
    model = GaussianNB(var_smoothing=0.0).fit(X, y)
    assert "1 variances are zero" in str(model.fit_report_.repairs)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert (model.predict(X) == y).all()


def test_a_column_never_observed_in_a_class_does_not_break_it():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [8.0, 1.0], [9.0, 2.0]])
    model = GaussianNB().fit(X, [0, 0, 1, 1])
    assert (model.predict(X) == [0, 0, 1, 1]).all()
    np.testing.assert_allclose(model.theta_[0, 1], 1.5)


def test_classes_that_have_not_come_yet_are_not_predicted():
    model = GaussianNB().partial_fit([[0.0], [1.0]], ["a", "a"], classes=["a", "b"])
    np.testing.assert_array_equal(model.predict_proba([[50.0]]), [[1.0, 0.0]])
    with pytest.raises(ValueError, match="GaussianNB: y must be among the classes"):
        model.partial_fit([[0.0]], ["c"])
    with pytest.raises(ValueError, match="classes must be passed on the first call to"):
        GaussianNB().partial_fit([[0.0]], ["c"])
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        model.partial_fit([[0.0]], ["a"], classes=["a", "c"])


@pytest.mark.parametrize("estimate", ["ml", "bayes"])
def test_sampling_reproduces_the_model(estimate):
    X, y = load_iris(return_X_y=True)
    model = GaussianNB(priors="uniform", estimate=estimate).fit(X, y)
    drawn, labels = model.sample(30_000, random_state=1)
    again = GaussianNB().fit(drawn, labels)
    np.testing.assert_allclose(again.theta_, model.theta_, atol=0.03)
    np.testing.assert_allclose(again.class_prior_, 1 / 3, atol=0.01)


def test_refuses_a_class_without_weight():
    with pytest.raises(ValueError, match="sample_weight must be above 0 in every class"):
        GaussianNB().fit([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 0.0])


def test_variances_below_the_least_normal_number():
    X = 1e-150 * np.array([[3.0, -1.0], [3.0, -0.1], [3.0, 2.0]])
    model = GaussianNB(var_smoothing=1e-10).fit(X, [0, 1, 2])
    assert model.var_.max() < np.finfo(float).tiny
    np.testing.assert_array_equal(model.predict(X), [0, 1, 2])
    np.testing.assert_allclose(model.predict_proba(X), np.eye(3))
