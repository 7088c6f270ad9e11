import numpy as np
import pytest

from margin.distributions import GammaPoisson, Poisson
from margin.sequence import PoissonHMM, VariationalPoissonHMM

RNG = np.random.default_rng(0)
CALLS = [np.r_[RNG.poisson(1.0, 60), RNG.poisson(9.0, 60)].astype(float) for _ in range(3)]


def test_one_state_is_the_exact_evidence():
    """sequence.16: with one state nothing is hidden, and the bound is the evidence."""
    model = VariationalPoissonHMM(1, concentration_prior=2.0, rate_prior=3.0).fit(CALLS)
    whole = np.concatenate(CALLS)
    exact = GammaPoisson(2.0, 2.0 / 3.0).log_evidence(Poisson.statistics(whole))
    assert model.lower_bound_ == pytest.approx(float(exact), rel=1e-12)


def test_states_that_are_not_needed_die():
    model = VariationalPoissonHMM(6, random_state=0).fit(CALLS)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7
    used = model.visits_ > 1.0
    assert used.sum() == 2
    plain = PoissonHMM(2, random_state=0).fit(CALLS)
    np.testing.assert_allclose(
        np.sort(model.rates_[used, 0]), np.sort(plain.rates_[:, 0]), rtol=0.02
    )


def test_columns_and_gaps():
    rows = [np.column_stack([x, RNG.poisson(4.0, len(x))]) for x in CALLS]
    rows[0][5, 0] = np.nan
    model = VariationalPoissonHMM(2, random_state=0).fit(rows)
    assert model.rates_.shape == (2, 2)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7
    with pytest.raises(ValueError, match="VariationalPoissonHMM: rate_prior must be"):
        VariationalPoissonHMM(rate_prior=0.0).fit(CALLS)
