import numpy as np
import pytest
from scipy.stats import bernoulli, poisson

from margin.linear._log_domain import LOG_TINY
from margin.linear._membership import Membership
from margin.linear.naive_bayes._count_columns import BernoulliColumns, PoissonColumns


def test_bernoulli_is_the_beta_prediction():
    """linear.46: the smoothed frequency is the chance of a one under the Beta posterior."""
    X = np.array([[1.0], [1.0], [0.0], [np.nan]])
    fitted = BernoulliColumns(2.0).fit(Membership.hard(np.zeros(4), 1).sums(X))
    grid = np.linspace(0, 1, 20_001)[1:-1]
    belief = grid ** (2 + 2 - 1) * (1 - grid) ** (1 + 2 - 1)
    assert np.exp(fitted.log_one[0, 0]) == pytest.approx((grid @ belief) / belief.sum(), rel=1e-8)
    np.testing.assert_allclose(
        fitted.log_prob(X[:3])[:, 0], bernoulli.logpmf(X[:3, 0], np.exp(fitted.log_one[0, 0]))
    )


def test_impossible_values_stay_comparable():
    X = np.array([[0.0, 0.0], [0.0, 1.0]])
    fitted = BernoulliColumns(0.0).fit(Membership.hard(np.array([0, 1]), 2).sums(X))
    scores = fitted.log_prob(np.array([[1.0, 1.0]]))
    np.testing.assert_allclose(scores, [[2 * LOG_TINY, LOG_TINY]])


def test_poisson_is_the_gamma_mode():
    X = np.array([[0.0], [3.0], [5.0]])
    members = Membership.hard(np.zeros(3), 1)
    plain = PoissonColumns.of(X, None, 0.0)
    stats = plain.statistics(X, members)
    assert plain.fit(stats).rate[0, 0] == pytest.approx(8 / 3)
    np.testing.assert_allclose(
        plain.fit(stats).log_prob(X)[:, 0], poisson.logpmf(X[:, 0], 8 / 3), rtol=1e-12
    )
    prior = PoissonColumns(2.0, np.array([1.0]))
    assert prior.fit(stats).rate[0, 0] == pytest.approx((8 + 2) / (3 + 2))
