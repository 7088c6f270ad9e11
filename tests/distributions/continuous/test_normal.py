import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import quad

from margin.distributions import Normal, NormalInverseGamma

finite = st.floats(-1e3, 1e3)
widths = st.floats(1e-3, 1e3)


def test_against_scipy():
    """distributions.07: density, distribution function, quantile and entropy in one dimension."""
    mean, std = np.array([0.0, 2.0, -3.0]), np.array([1.0, 0.1, 20.0])
    ours, theirs = Normal(mean, std), stats.norm(mean, std)
    x = np.linspace(-30, 30, 101)[:, None]
    assert_allclose(ours.log_prob(x), theirs.logpdf(x))
    assert_allclose(ours.cdf(x), theirs.cdf(x))
    assert_allclose(ours.quantile([0.1, 0.9]), [theirs.ppf(0.1), theirs.ppf(0.9)])
    assert_allclose(ours.entropy, theirs.entropy())
    assert_allclose(ours.var, std**2)


def test_second_parameter_is_the_standard_deviation():
    """distributions.07: the density integrates to one and its variance is std squared."""
    dist = Normal(1.5, 0.7)
    area = quad(lambda x: np.exp(dist.log_prob(x)), -10, 10, points=[1.5])[0]
    var = quad(lambda x: (x - 1.5) ** 2 * np.exp(dist.log_prob(x)), -10, 10, points=[1.5])[0]
    assert area == pytest.approx(1)
    assert var == pytest.approx(0.49) == float(dist.var)


def test_worked_divergences():
    """distributions.21: KL(N(1,1), N(0,1)) = 1/2 and KL(N(0,4), N(0,1)) = 0.8068528."""
    standard = Normal(0.0, 1.0)
    assert float(Normal(1.0, 1.0).kl(standard)) == 0.5
    assert float(Normal(0.0, 2.0).kl(standard)) == pytest.approx(0.8068528, abs=1e-7)
    assert float(standard.kl(standard)) == 0.0


@given(m=finite, s=widths, m2=finite, s2=widths)
def test_divergence_is_never_negative(m, s, m2, s2):
    """distributions.21"""
    assert Normal(m, s).kl(Normal(m2, s2)) >= -1e-15


def test_divergence_against_integration():
    """distributions.21: both directions, by quadrature."""
    p, q = Normal(0.3, 0.8), Normal(-0.5, 1.7)
    for a, b in [(p, q), (q, p)]:

        def integrand(x, a=a, b=b):
            return float(np.exp(a.log_prob(x)) * (a.log_prob(x) - b.log_prob(x)))

        assert quad(integrand, -30, 30, points=[0])[0] == pytest.approx(float(a.kl(b)))


def test_divergence_of_nearly_equal_widths_keeps_its_digits():
    """KL is h² to second order in h = log ratio of widths."""
    h = 1e-7
    assert float(Normal(0, 1 + h).kl(Normal(0, 1))) == pytest.approx(h**2, rel=1e-2)


def test_maximum_likelihood_of_the_worked_example():
    """distributions.24: [1, 2, 3, 4] has mean 2.5 and variance 1.25 (divisor n)."""
    fitted = Normal.fit(Normal.statistics([1.0, 2.0, 3.0, 4.0]))
    assert float(fitted.mean) == 2.5
    assert float(fitted.var) == pytest.approx(1.25)


def test_fit_maximises_the_likelihood_and_leaves_missing_values_out():
    """distributions.24: no neighbour is better; NaN counts for its column only."""
    rng = np.random.default_rng(0)
    X = rng.normal([1.0, -5.0], [2.0, 0.3], size=(50, 2))
    X[::3, 1] = np.nan
    weight = rng.uniform(0.1, 2, size=50)
    fitted = Normal.fit(Normal.statistics(X, weight))
    best = weight @ fitted.log_prob(X)
    for shift, factor in [(1e-3, 1.0), (-1e-3, 1.0), (0.0, 1.001), (0.0, 0.999)]:
        other = Normal(fitted.mean + shift, fitted.std * factor)
        assert np.all(weight @ other.log_prob(X) < best)
    alone = Normal.fit(Normal.statistics(X[~np.isnan(X[:, 1]), 1], weight[~np.isnan(X[:, 1])]))
    assert_allclose(fitted[1].mean, alone.mean)
    assert_allclose(fitted[1].std, alone.std)


@given(seed=st.integers(0, 1000), cut=st.integers(0, 30))
@settings(deadline=None)
def test_fit_of_summed_statistics_is_the_fit_of_all_rows(seed, cut):
    """distributions.37"""
    X = np.random.default_rng(seed).normal(size=(30, 2)) * 3 + 1e6
    whole = Normal.fit(Normal.statistics(X))
    parts = Normal.fit(Normal.statistics(X[:cut]) + Normal.statistics(X[cut:]))
    assert_allclose(parts.mean, whole.mean, rtol=1e-14)
    assert_allclose(parts.std, whole.std, rtol=1e-9)


def test_maximum_a_posteriori_is_the_mode_of_likelihood_times_prior():
    prior = NormalInverseGamma(0.0, 2.0, 3.0, 4.0)
    x = np.array([1.0, 2.0, 4.0, 4.5])

    def log_posterior(mean, var):
        fit = np.sum(stats.norm.logpdf(x, mean, np.sqrt(var)))
        belief = stats.norm.logpdf(mean, 0.0, np.sqrt(var / 2)) + stats.invgamma.logpdf(
            var, 3, 0, 4
        )
        return fit + belief

    fitted = Normal.fit(Normal.statistics(x), prior)
    best = log_posterior(float(fitted.mean), float(fitted.var))
    for dm, dv in [(1e-3, 0), (-1e-3, 0), (0, 1e-3), (0, -1e-3)]:
        assert log_posterior(float(fitted.mean) + dm, float(fitted.var) + dv) < best


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (
            [2.0, 2.0],
            "Normal: data must be of more than one value in every column, or have a prior",
        ),
        ([[1.0, np.nan], [2.0, np.nan]], "Normal: data must be observed in every column"),
    ],
)
def test_fit_without_enough_data_is_refused(x, message):
    with pytest.raises(ValueError, match=message):
        Normal.fit(Normal.statistics(x))


def test_arrays_of_distributions():
    dist = Normal(np.arange(12.0).reshape(3, 4), 2.0)
    assert dist.shape == (3, 4)
    assert len(dist) == 3
    assert dist[1].mean.tolist() == [4, 5, 6, 7]
    assert dist[:, 2].std.tolist() == [2, 2, 2]
    assert dist.sample(5, np.random.default_rng(0)).shape == (5, 3, 4)
    assert dist.log_prob(0.0).shape == (3, 4)
    with pytest.raises(TypeError, match="Normal: a single distribution has no length"):
        len(Normal())


def test_coordinates_are_independent():
    dist = Normal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
    assert dist.marginal([2, 0]).mean.tolist() == [2.0, 0.0]
    rest = dist.condition([1], [100.0])
    assert rest.mean.tolist() == [0.0, 2.0]
    assert rest.std.tolist() == [1.0, 3.0]
    with pytest.raises(ValueError, match="Normal: values must be one for each of 1 indices"):
        dist.condition([1], [1.0, 2.0])
    with pytest.raises(ValueError, match="shape must be one-dimensional to condition"):
        Normal().condition([0], [1.0])


@pytest.mark.parametrize(
    ("mean", "std", "message"),
    [
        (0.0, 0.0, r"Normal: std must be above 0, got 0\.0"),
        (0.0, -1.0, r"Normal: std must be above 0, got -1\.0"),
        (np.nan, 1.0, "Normal: mean must be finite"),
        ([0.0, 1.0], [1.0, 2.0, 3.0], "Normal: mean and std must be of matching shapes"),
    ],
)
def test_bad_parameters_are_refused(mean, std, message):
    with pytest.raises(ValueError, match=message):
        Normal(mean, std)


def test_extreme_values_do_not_overflow():
    assert Normal().log_prob(1e200) == -np.inf
    assert Normal(0.0, 1e-150).log_prob(0.0) == pytest.approx(150 * np.log(10) - 0.9189385)
    assert Normal().quantile([0.0, 1.0]).tolist() == [-np.inf, np.inf]
    assert np.isnan(Normal().cdf(np.nan))


def test_pickle_and_repr():
    dist = pickle.loads(pickle.dumps(Normal([1.0, 2.0], 3.0)))
    assert repr(dist) == "Normal(mean=[1., 2.], std=[3., 3.])"
    assert repr(Normal(np.arange(9.0), 1.0)) == "Normal(mean=0 … 8, std=1 … 1, shape=(9,))"
