"""Probabilities that sum to one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions._simplex import simplex


def test_sums_are_made_exact():
    p = simplex("Categorical", "probabilities", [[1 / 3, 1 / 3, 1 / 3 + 1e-10], [0.5, 0.5, 0.0]])
    assert_allclose(p.sum(axis=-1), 1.0, rtol=1e-15)
    assert not p.flags.writeable
    with pytest.raises(ValueError, match=r"probabilities must be of shape \(\.\.\., K\)"):
        simplex("Categorical", "probabilities", 1.0)
    with pytest.raises(ValueError, match=r"at least 0 everywhere, got -0\.5"):
        simplex("Categorical", "probabilities", [1.5, -0.5])
    assert_allclose(simplex("Multinomial", "p", np.array([0.2, 0.3]), 0.5), [0.2, 0.3])
