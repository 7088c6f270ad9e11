"""Fits of Student's t distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import StudentT
from margin.testing import StatisticsContract


class TestStatistics(StatisticsContract):
    """distributions.37: the rows themselves."""

    def make(self):
        return [StudentT(6.0, 1.0, 2.0)]

    def test_fit_finds_the_truth_again(self):
        x = StudentT(5.0, 1.0, 2.0).sample(8000, 3)
        fit = StudentT.fit(x)
        assert_allclose([fit.df, fit.loc, fit.scale], [5.0, 1.0, 2.0], rtol=0.1)


def test_against_scipy():
    """distributions.23: a generic search over all three parameters finds no better."""
    x = StudentT(3.0, 1.0, 2.0).sample(400, 0)
    fit = StudentT.fit(x)
    df, loc, scale = stats.t.fit(x)
    assert fit.log_prob(x).sum() >= stats.t(df, loc, scale).logpdf(x).sum() - 1e-4
    assert_allclose([fit.df, fit.loc, fit.scale], [df, loc, scale], rtol=1e-2)


def test_known_degrees_of_freedom():
    x = np.array([-1.0, 0.0, 1.0, 100.0])
    fit = StudentT.fit(x, df=1.0)
    best = fit.log_prob(x).sum()
    assert fit.df == 1.0
    for shift, stretch in ((1e-3, 1.0), (-1e-3, 1.0), (0.0, 1.001), (0.0, 0.999)):
        assert StudentT(1.0, fit.loc + shift, fit.scale * stretch).log_prob(x).sum() < best
    with pytest.raises(ValueError, match="StudentT: df must be a number above 0"):
        StudentT.fit(x, df=-1.0)
    with pytest.raises(ValueError, match="StudentT: data must be of two values"):
        StudentT.fit([1.0, 1.0])
    with pytest.raises(ValueError, match="StudentT: data must be of two values"):
        StudentT.fit(StudentT.statistics([1.0, 2.0], [1.0, 1e-300]))


@pytest.mark.parametrize("unit", [1e-200, 1e150])
def test_units_do_not_matter(unit):
    """Tiny and huge scales: the same fit in other units."""
    x = StudentT(4.0, 1.0, 2.0).sample(80, 0)
    plain, scaled = StudentT.fit(x), StudentT.fit(x * unit)
    assert_allclose([scaled.loc / unit, scaled.scale / unit], [plain.loc, plain.scale], rtol=1e-6)
    assert_allclose(scaled.df, plain.df, rtol=1e-6)


def test_many_equal_values():
    """A heavy value would be fitted with no width: such degrees of freedom are left out."""
    x = np.array([0.2] * 29 + [0.1, 0.3, 0.4] * 7)
    fit = StudentT.fit(x)
    assert fit.df > 29 / 21
    assert fit.scale > 1e-4
    with pytest.raises(ValueError, match=r"StudentT: df must be above 1\.38 where 58% of the data"):
        StudentT.fit(x, df=1.0)


def test_higher_moments():
    """distributions.15: against SciPy, and where they do not exist."""
    ours = StudentT([5.0, 9.0])
    assert_allclose(ours.kurtosis, stats.t([5.0, 9.0]).stats("k"))
    assert_allclose(StudentT([2.0, 3.0, 4.0]).kurtosis, [np.nan, np.inf, np.inf])
    assert np.isnan(StudentT(3.0).skewness)
