"""The categorical distribution (distributions.05)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Categorical
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Categorical([0.2, 0.5, 0.3]), Categorical([[0.1, 0.9], [0.5, 0.5]])]

    def support(self, distribution):
        return np.arange(float(distribution.n_states))


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Categorical([0.2, 0.5, 0.3]), Categorical([[0.3, 0.7], [0.5, 0.5]])]


def test_density_entropy_and_divergence():
    """distributions.05, distributions.20, distributions.21: sums over states."""
    p, q = Categorical([0.2, 0.5, 0.3]), Categorical([0.1, 0.1, 0.8])
    assert_allclose(np.exp(p.log_prob([0, 1, 2])), p.probabilities)
    assert_allclose(p.log_prob([3, -1, 0.5]), -np.inf)
    assert_allclose(p.entropy, stats.entropy(p.probabilities))
    assert_allclose(p.kl(q), stats.entropy(p.probabilities, q.probabilities))
    assert_allclose(Categorical([1.0, 0.0]).entropy, 0.0)
    assert Categorical([0.5, 0.5]).kl(Categorical([1.0, 0.0])) == np.inf
    assert p.mode == 1.0


def test_members_look_states_up():
    members = Categorical([[0.2, 0.8], [1.0, 0.0]])
    table = members.log_prob_rows([0.0, 1.0, np.nan, 5.0])
    with np.errstate(divide="ignore"):
        assert_allclose(table[:2], np.log(members.probabilities.T))
    assert_allclose(table[2], 0.0)
    assert_allclose(table[3], -np.inf)
    columns = Categorical([[[0.2, 0.8], [0.5, 0.5]]])
    assert_allclose(columns.log_prob_rows([[0.0, 1.0]]), [[np.log(0.1)]])


def test_batches_may_see_different_states():
    """distributions.37."""
    joint = Categorical.statistics([0, 1]) + Categorical.statistics([3, 3])
    assert_allclose(Categorical.fit(joint).probabilities, [0.25, 0.25, 0.0, 0.5])
    assert Categorical.fit(joint, n_states=6).n_states == 6
    with pytest.raises(ValueError, match="Categorical: n_states must be at least 4"):
        Categorical.fit(joint, n_states=2)


def test_refusals():
    with pytest.raises(ValueError, match="Categorical: probabilities must be of sum 1"):
        Categorical([0.5, 0.6])
    with pytest.raises(ValueError, match="Categorical: probabilities must be at least 0"):
        Categorical([1.5, -0.5])
    with pytest.raises(ValueError, match=r"codes 0, 1, … or NaN, got -1\.0"):
        Categorical.fit([-1.0])
