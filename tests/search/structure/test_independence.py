"""graphical.29: Bonferroni's correction; the contract of a test."""

import numpy as np
import pytest

from margin.search import FisherZ, Moments, bonferroni


def test_family_of_twenty_true_hypotheses():
    """graphical.29: twenty tests at 0.05."""
    rng = np.random.default_rng(0)
    p_values = rng.random((4000, 20))
    uncorrected = (p_values.min(axis=1) <= 0.05).mean()
    assert uncorrected == pytest.approx(1 - 0.95**20, abs=0.03)
    assert pytest.approx(0.6415, abs=5e-5) == 1 - 0.95**20
    corrected = np.mean([bonferroni(row) <= 0.05 for row in p_values])
    assert corrected <= 0.05 + 0.012


def test_bounds():
    assert bonferroni([]) == 1.0
    assert bonferroni([0.5, 0.9]) == 1.0


@pytest.mark.parametrize("columns", [(0, 0, ()), (0, 1, (1,)), (0, 5, ()), (0, 1, (2, 2))])
def test_columns_must_differ(columns):
    test = FisherZ(Moments((0, 1, 2), np.zeros(3), np.eye(3), 10.0))
    with pytest.raises(ValueError, match="FisherZ: columns must be different"):
        test(*columns)
