"""Linear Gaussian networks against the normal distribution written out."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from margin.graphical import BayesianNetwork, LinearGaussianCPD

NET = BayesianNetwork.from_edges(
    [("x", "y"), ("x", "z"), ("y", "z")],
    {
        "x": LinearGaussianCPD(1.0, variance=4.0),
        "y": LinearGaussianCPD(0.5, [2.0], 1.0),
        "z": LinearGaussianCPD(0.0, [1.0, -1.0], 0.5),
    },
)
# With noise e = (x - 1, ...), (I - W) (v - mean) = e.
W = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, -1.0, 0.0]])
INVERSE = np.linalg.inv(np.eye(3) - W)
MEAN = INVERSE @ [1.0, 0.5, 0.0]
COVARIANCE = INVERSE @ np.diag([4.0, 1.0, 0.5]) @ INVERSE.T


def conditioned(seen, values):
    rest = [i for i in range(3) if i not in seen]
    gain = COVARIANCE[np.ix_(rest, seen)] @ np.linalg.inv(COVARIANCE[np.ix_(seen, seen)])
    mean = MEAN[rest] + gain @ (np.asarray(values) - MEAN[seen])
    return mean, COVARIANCE[np.ix_(rest, rest)] - gain @ COVARIANCE[np.ix_(seen, rest)]


def test_posterior_and_density():
    mean, covariance = conditioned([2], [0.7])
    answer = NET.query(["x", "y"], {"z": 0.7})
    assert_allclose(answer.mean, mean, rtol=1e-12)
    assert_allclose(answer.covariance, covariance, rtol=1e-12)
    rows = pd.DataFrame({"x": [0.0, np.nan], "y": [1.0, 2.0], "z": [np.nan, 0.3]})
    expected = [
        multivariate_normal.logpdf([0.0, 1.0], MEAN[:2], COVARIANCE[:2, :2]),
        multivariate_normal.logpdf([2.0, 0.3], MEAN[1:], COVARIANCE[1:, 1:]),
    ]
    assert_allclose(NET.log_prob(rows), expected, rtol=1e-12)
    assert_allclose(NET.log_prob(rows.iloc[0].dropna().to_dict()), expected[0], rtol=1e-12)
    assert NET.log_prob({}) == 0.0


def test_an_observed_node_has_its_value_and_no_variance():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"x": rng.normal(size=200)})
    frame["z"] = frame.x + rng.normal(size=200)
    answer = BayesianNetwork([("x", "z")]).fit(frame).query("x", {"x": 3.0})
    assert (answer.mean[0], answer.var[0]) == (3.0, 0.0)
    for value in np.linspace(-3, 3, 13):
        whole = NET.query(["x", "z"], {"x": value, "y": 0.3})
        assert (whole.mean[0], whole.var[0]) == (value, 0.0)
        assert_allclose(whole.var[1], 0.5, rtol=1e-12)


def test_the_density_of_an_observed_node_is_that_of_a_point():
    answer, rest = NET.query(["x", "y"], {"x": 3.0}), NET.query(["y"], {"x": 3.0})
    assert answer.log_prob([3.0, 5.0]) == pytest.approx(rest.log_prob([5.0]), abs=1e-12)
    assert answer.log_prob([2.0, 5.0]) == -np.inf
    assert NET.query("x", {"x": 3.0}).log_prob([3.0]) == 0.0
    with pytest.raises(ValueError, match="targets with a variance, got 'x' with none"):
        answer.distribution()


def test_the_most_probable_values_are_the_mean():
    mean, covariance = conditioned([2], [0.7])
    best = NET.query(["y", "x"], {"z": 0.7}, kind="map")
    assert_allclose(best.values, mean[::-1], rtol=1e-12)
    peak = multivariate_normal.logpdf(mean, mean, covariance)
    assert_allclose(best.log_prob, peak, rtol=1e-10)
    whole = NET.map_query(None, {"z": 0.7})
    assert whole["z"] == pytest.approx(0.7)
    assert_allclose([whole["x"], whole["y"]], mean, rtol=1e-12)
    frame = NET.map_query(["x"], pd.DataFrame({"z": [0.7, np.nan]}))
    assert_allclose(frame["x"], [mean[0], MEAN[0]], rtol=1e-12)


def test_draws_of_the_posterior():
    mean, covariance = conditioned([2], [0.7])
    frame = NET.sample(40_000, {"z": 0.7}, random_state=0)
    assert set(frame["z"]) == {0.7}
    assert_allclose(frame[["x", "y"]].mean(), mean, atol=0.03)
    assert_allclose(np.cov(frame[["x", "y"]].T), covariance, atol=0.03)
    rows = pd.DataFrame({"z": [0.7, np.nan]})
    drawn = NET.query("x", rows, kind="sample", n_samples=20_000, random_state=1)
    assert drawn.values.shape == (2, 20_000, 1)
    assert_allclose(drawn.values.mean(axis=1).ravel(), [mean[0], MEAN[0]], atol=0.05)
    assert NET.query("x", rows.iloc[:0], kind="sample").values.shape == (0, 1, 1)


def test_interventions_with_evidence():
    """do(y = 2) cuts x from y: z = x - 2 + noise, so p(x | z) is that of one regression."""
    z = 1.0
    gain = 4.0 / 4.5
    mean = 1.0 + gain * (z - (1.0 - 2.0))
    answer = NET.query("x", {"z": z}, do={"y": 2.0})
    assert_allclose(answer.mean, [mean], rtol=1e-12)
    assert_allclose(answer.var, [4.0 - gain * 4.0], rtol=1e-12)
    frame = NET.sample(20_000, {"z": z}, do={"y": 2.0}, random_state=0)
    assert set(frame["y"]) == {2.0}
    assert_allclose(frame["x"].mean(), mean, atol=0.02)
    assert_allclose(frame["x"].var(), 4.0 - gain * 4.0, atol=0.02)


@pytest.mark.parametrize("value", ["q", np.inf, np.nan, None, [1.0, 2.0]])
def test_an_intervention_gives_a_finite_number(value):
    with pytest.raises(ValueError, match="BayesianNetwork: do must give 'x' a finite number, got"):
        NET.query("z", do={"x": value})


def test_refusals():
    with pytest.raises(ValueError, match=r"kind must be 'marginal', .* got 'mpe'"):
        NET.query("x", kind="mpe")
    with pytest.raises(ValueError, match="one row to sample, got 2"):
        NET.sample(1, pd.DataFrame({"z": [1.0, 2.0]}))
    with pytest.raises(ValueError, match="variable must be one of"):
        NET.explain_plan("x")
