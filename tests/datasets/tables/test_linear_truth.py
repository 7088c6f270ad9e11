import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import calibration_curve

from margin.datasets import make_linear_regression, make_logistic


def test_least_squares_recovers_the_law():
    truth = make_linear_regression(
        5000, 6, intercept=-2.0, noise=0.5, correlation=0.7, random_state=0
    )
    design = np.column_stack([np.ones(5000), truth.data])
    found, *_ = np.linalg.lstsq(design, truth.target, rcond=None)
    errors = truth.noise * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    assert np.all(np.abs(found - [truth.intercept, *truth.coef]) < 5 * errors)
    assert truth.expected == pytest.approx(truth.data @ truth.coef - 2.0)
    share = 1 - np.var(truth.target - truth.expected) / np.var(truth.target)
    assert share == pytest.approx(truth.r2, abs=0.05)


@pytest.mark.parametrize("correlation", [-0.6, 0.0, 0.9])
def test_design_has_its_covariance(correlation):
    truth = make_linear_regression(50_000, 4, correlation=correlation, random_state=1)
    assert truth.covariance[0] == pytest.approx(correlation ** np.arange(4))
    found = np.cov(truth.data, rowvar=False)
    assert found == pytest.approx(truth.covariance, abs=8 / np.sqrt(50_000))


def test_sparse_coefficients_and_exact_fit_without_noise():
    truth = make_linear_regression(50, 30, n_informative=4, noise=0.0, random_state=2)
    assert np.count_nonzero(truth.coef) == 4
    assert truth.target == pytest.approx(truth.expected)
    assert truth.r2 == 1.0
    assert make_linear_regression(5, 3, n_informative=0, noise=0.0).r2 == 0.0


def test_binary_law_and_its_calibration():
    truth = make_logistic(40_000, 3, coef=[1.5, 0.0, -2.0], intercept=0.5, random_state=0)
    p = truth.probability[:, 1]
    assert p == pytest.approx(expit(truth.data @ truth.coef + truth.intercept))
    share, predicted = calibration_curve(truth.target, p, n_bins=10, strategy="quantile")
    assert share == pytest.approx(predicted, abs=5 * 0.5 / np.sqrt(4000))
    wrong = ((p > 0.5) != truth.target).mean()
    assert wrong == pytest.approx(truth.bayes_error, abs=5 * 0.5 / np.sqrt(40_000))
    log_loss = -np.log(np.where(truth.target == 1, p, 1 - p)).mean()
    assert log_loss == pytest.approx(truth.bayes_log_loss, abs=0.02)


def test_softmax_law():
    truth = make_logistic(40_000, 2, n_classes=3, intercept=[0.0, 1.0, -1.0], random_state=1)
    scores = truth.data @ truth.coef.T + truth.intercept
    weight = np.exp(scores)
    assert truth.probability == pytest.approx(weight / weight.sum(axis=1, keepdims=True))
    counts = np.bincount(truth.target, minlength=3) / 40_000
    assert counts == pytest.approx(truth.probability.mean(axis=0), abs=5 * 0.5 / np.sqrt(40_000))


def test_uninformative_features_have_no_coefficient_in_any_class():
    truth = make_logistic(10, 8, n_classes=4, n_informative=3, random_state=0)
    assert np.count_nonzero(truth.coef.any(axis=0)) == 3


def test_frames_and_seeds():
    for make in (make_linear_regression, make_logistic):
        framed = make(20, 3, as_frame=True, random_state=7)
        plain = make(20, 3, random_state=7)
        assert list(framed.frame.columns) == ["x0", "x1", "x2", "y"]
        assert np.array_equal(framed.data.to_numpy(), plain.data)
        assert np.array_equal(framed.target.to_numpy(), plain.target)


@pytest.mark.parametrize(
    ("make", "argument", "message"),
    [
        (make_linear_regression, {"coef": [1.0]}, "coef must be finite of shape"),
        (make_linear_regression, {"correlation": 1.0}, "correlation must be a number in"),
        (make_linear_regression, {"n_informative": 11}, "n_informative must be a number in"),
        (make_linear_regression, {"noise": -1.0}, "noise must be a number in"),
        (make_logistic, {"n_classes": 1}, "n_classes must be an integer of at least 2"),
        (make_logistic, {"intercept": [1.0, 2.0]}, "intercept must be finite of shape"),
        (
            make_logistic,
            {"coef": [1.0] * 5, "n_informative": 2},
            "n_informative must be None when coef is given",
        ),
    ],
)
def test_bad_input_is_refused(make, argument, message):
    with pytest.raises(ValueError, match=f"{make.__name__}: {message}"):
        make(**argument)
