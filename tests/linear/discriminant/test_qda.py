import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn import discriminant_analysis as peer
from sklearn.datasets import load_iris, load_wine

from margin.linear import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("reg_param", [0.0, 0.1])
def test_agrees_with_scikit_learn(load, reg_param):
    """linear.37"""
    X, y = load(return_X_y=True)
    ours = QuadraticDiscriminantAnalysis(reg_param=reg_param).fit(X, y)
    theirs = peer.QuadraticDiscriminantAnalysis(reg_param=reg_param).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_log_joint_and_objective_are_those_of_the_gaussians():
    """linear.37: the reported objective is the mean negative log joint likelihood."""
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    expected = np.stack(
        [
            np.log(p) + multivariate_normal(m, c).logpdf(X)
            for p, m, c in zip(model.priors_, model.means_, model.covariance_, strict=True)
        ],
        axis=1,
    )
    np.testing.assert_allclose(model.log_joint(X), expected, atol=1e-9)
    assert model.fit_report_.objective == pytest.approx(-expected[np.arange(len(y)), y].mean())


def test_equal_covariances_give_the_linear_rule():
    rng = np.random.default_rng(0)
    half = rng.standard_normal((200, 2))
    X, y = np.vstack([half, half + 3.0]), np.repeat([0, 1], 200)
    quadratic = QuadraticDiscriminantAnalysis().fit(X, y)
    linear = LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(quadratic.predict_proba(X), linear.predict_proba(X), atol=1e-9)


def test_singular_class_is_repaired_and_said():
    X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [0.0, 5.0], [1.0, 7.0], [2.0, 4.0]])
    model = QuadraticDiscriminantAnalysis().fit(X, ["a"] * 3 + ["b"] * 3)
    assert "class a has rank 1 of 2" in str(model.fit_report_.repairs)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert (model.predict(X) == np.array(["a"] * 3 + ["b"] * 3)).all()


def test_sampling_reproduces_the_model():
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis(priors="uniform").fit(X, y)
    drawn, labels = model.sample(30_000, random_state=1)
    again = QuadraticDiscriminantAnalysis().fit(drawn, labels)
    np.testing.assert_allclose(again.covariance_, model.covariance_, atol=0.03)


def test_automatic_shrinkage_is_between_the_extremes():
    X, y = load_wine(return_X_y=True)
    free = QuadraticDiscriminantAnalysis().fit(X, y).covariance_[0]
    auto = QuadraticDiscriminantAnalysis(shrinkage="auto").fit(X, y).covariance_[0]
    off = ~np.eye(len(free), dtype=bool)
    ratio = np.abs(auto[off]).sum() / np.abs(free[off]).sum()
    assert 0.3 < ratio < 1.0


def test_refuses_a_class_of_one():
    with pytest.raises(ValueError, match="every class must hold more than 1 sample, got 1"):
        QuadraticDiscriminantAnalysis().fit([[0.0], [1.0], [2.0]], [0, 0, 1])


def test_nan_is_unobserved():
    """linear.37: fit, score and posterior with values missing, against marginal densities."""
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    holed = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    model = QuadraticDiscriminantAnalysis().fit(holed, y)
    assert model.score(holed, y) > 0.92
    assert model.score(X, y) > 0.95
    joint = np.tile(np.log(model.priors_), (len(X), 1))
    for i, x in enumerate(holed):
        o = ~np.isnan(x)
        for k in range(3 if o.any() else 0):
            part = multivariate_normal(model.means_[k, o], model.covariance_[k][np.ix_(o, o)])
            joint[i, k] += part.logpdf(x[o])
    np.testing.assert_allclose(model.log_joint(holed), joint, rtol=1e-8, atol=1e-8)
    own = joint[np.arange(len(y)), y]
    assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-6)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-10


def test_singular_class_with_holes():
    """A constant column in one class, values missing in both."""
    X = np.array([[0.0, 1.0], [1.0, 1.0], [np.nan, 1.0], [0.0, 5.0], [1.0, np.nan], [2.0, 4.0]])
    y = np.array(["a"] * 3 + ["b"] * 3)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    assert "class a has rank 1 of 2" in str(model.fit_report_.repairs)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert model.predict([[np.nan, 1.0], [np.nan, 4.5]]).tolist() == ["a", "b"]


def test_keeps_a_copy_of_the_priors():
    X, y = load_iris(return_X_y=True)
    priors = np.array([0.2, 0.3, 0.5])
    model = QuadraticDiscriminantAnalysis(priors=priors).fit(X, y)
    priors[0] = 0.9
    np.testing.assert_array_equal(model.priors_, [0.2, 0.3, 0.5])


def test_principal_axes_rebuild_the_covariances():
    """linear.37: rotations_ and scalings_ are the eigenvectors and eigenvalues, widest first."""
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis(solver="eigen", store_covariance=True).fit(X, y)
    theirs = peer.QuadraticDiscriminantAnalysis(solver="eigen").fit(X, y)
    triples = zip(model.rotations_, model.scalings_, model.covariance_, strict=True)
    for k, (axes, variances, covariance) in enumerate(triples):
        np.testing.assert_allclose((axes * variances) @ axes.T, covariance, atol=1e-12)
        np.testing.assert_allclose(variances, theirs.scalings_[k], rtol=1e-9)
