import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import quad

from margin.distributions import Normal, StudentT


def test_against_scipy():
    df, loc, scale = (
        np.array([0.7, 3.0, 40.0]),
        np.array([0.0, 2.0, -3.0]),
        np.array([1.0, 0.1, 9.0]),
    )
    ours, theirs = StudentT(df, loc, scale), stats.t(df, loc, scale)
    x = np.linspace(-30, 30, 101)[:, None]
    assert_allclose(ours.log_prob(x), theirs.logpdf(x), rtol=1e-12)
    assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-10)
    assert_allclose(ours.quantile([0.1, 0.9]), [theirs.ppf(0.1), theirs.ppf(0.9)], rtol=1e-9)
    assert_allclose(ours.entropy, theirs.entropy(), rtol=1e-10)


def test_density_integrates_to_one():
    dist = StudentT(2.5, 1.0, 3.0)
    assert quad(lambda x: float(np.exp(dist.log_prob(x))), -np.inf, np.inf)[0] == pytest.approx(1)


def test_moments_exist_only_with_enough_degrees_of_freedom():
    dist = StudentT([0.5, 1.5, 4.0], 7.0, 2.0)
    assert_allclose(dist.mean, [np.nan, 7.0, 7.0])
    assert_allclose(dist.var, [np.nan, np.inf, 8.0])


def test_tends_to_the_normal_without_losing_digits():
    """Differences of log-gamma values would be off by 1e-5 at a million million freedoms."""
    x = np.linspace(-5, 5, 11)
    for df in (1e8, 1e12, 1e15):
        assert_allclose(StudentT(df).log_prob(x), Normal().log_prob(x), rtol=1e-6)


def test_is_a_normal_with_gamma_distributed_precision():
    """Brute force: integrate the variance out."""
    df, x = 5.0, 1.3

    def integrand(precision):
        weight = stats.gamma.pdf(precision, df / 2, scale=2 / df)
        return weight * np.exp(Normal(0.0, precision**-0.5).log_prob(x))

    assert quad(integrand, 0, np.inf)[0] == pytest.approx(float(np.exp(StudentT(df).log_prob(x))))


def test_far_tails_do_not_overflow():
    assert StudentT(1.0).log_prob(1e200) == pytest.approx(-np.log(np.pi) - 400 * np.log(10))
    assert StudentT(3.0).log_prob(np.inf) == -np.inf


def test_indexing_and_repr():
    dist = StudentT(3.0, [0.0, 1.0], 2.0)
    assert dist[1].loc == 1.0
    assert repr(dist) == "StudentT(df=[3., 3.], loc=[0., 1.], scale=[2., 2.])"
    assert dist.condition(0, 5.0).loc.tolist() == [1.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"df": 0.0}, r"StudentT: df must be above 0, got 0\.0"),
        ({"df": np.inf}, "StudentT: df must be finite"),
        ({"df": 1.0, "scale": -1.0}, r"StudentT: scale must be above 0, got -1\.0"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        StudentT(**arguments)
