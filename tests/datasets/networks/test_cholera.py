import numpy as np
import pytest
from scipy.optimize import curve_fit
from scipy.stats import pearsonr

from margin.datasets import make_farr_cholera, make_snow_cholera


def test_elevation_law_holds_between_every_pair():
    """datasets.14: Y_i / Y_j = (E_j - E_0) / (E_i - E_0)."""
    london = make_farr_cholera(random_state=0)
    height = london.data[:, 0] - london.zero_elevation
    ratio = london.rate[:, None] / london.rate[None, :]
    assert ratio == pytest.approx(height[None, :] / height[:, None])
    assert np.all(london.rate < 1)


def test_law_is_recovered_from_the_deaths():
    """datasets.14: a weighted hyperbolic fit finds the zero elevation and the strength."""
    london = make_farr_cholera(200, population=500_000, random_state=1)
    observed = london.target / london.data[:, 1]
    spread = np.sqrt(london.rate / london.data[:, 1])
    (strength, zero), covariance = curve_fit(
        lambda e, k, e0: k / (e - e0), london.data[:, 0], observed, (0.1, -5.0), sigma=spread
    )
    error = np.sqrt(np.diag(covariance))
    assert abs(strength - london.strength) < 5 * error[0]
    assert abs(zero - london.zero_elevation) < 5 * error[1]
    assert error[1] < 0.5


def test_elevation_matters_only_through_the_pump():
    """datasets.14: associated with illness overall, not among users of one kind of water."""
    soho = make_snow_cholera(20_000, random_state=4)
    elevation, pump = soho.data[:, 2], soho.data[:, 3].astype(int)
    dirty = soho.contaminated[pump]
    assert pearsonr(elevation, soho.target).statistic < -0.2
    for water in (dirty, ~dirty):
        assert abs(pearsonr(elevation[water], soho.target[water]).statistic) < 5 / np.sqrt(
            water.sum()
        )
    for water, rate in ((dirty, 0.4), (~dirty, 0.02)):
        assert soho.target[water].mean() == pytest.approx(rate, abs=5 * 0.5 / np.sqrt(water.sum()))


def test_pumps():
    """datasets.14: nearest pump by brute force; the lowest ones are contaminated."""
    soho = make_snow_cholera(200, n_pumps=5, n_contaminated=2, random_state=0, as_frame=True)
    for row in soho.frame.to_dict("records"):
        place = np.array([row["east"], row["north"]])
        distances = [np.hypot(*(place - pump)) for pump in soho.pumps]
        assert int(row["pump"]) == int(np.argmin(distances))
    dirty = soho.pumps[soho.contaminated, 1]
    assert len(dirty) == 2
    assert dirty.max() < soho.pumps[~soho.contaminated, 1].min()


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (make_farr_cholera, {"zero_elevation": 0.0}),
        (make_farr_cholera, {"strength": 14.0}),
        (make_snow_cholera, {"n_contaminated": 13}),
        (make_snow_cholera, {"attack_rate": 1.5}),
    ],
)
def test_bad_input_is_refused(make, argument):
    with pytest.raises(ValueError, match=f"{make.__name__}: {next(iter(argument))} must be"):
        make(**argument)
