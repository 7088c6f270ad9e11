"""Which decomposition serves a table."""

import numpy as np
import pytest

from margin.decomposition import PCA
from margin.decomposition.linear._solver_choice import (
    check_components,
    choose,
    resolved_components,
)


@pytest.mark.parametrize(
    ("n_components", "shape", "sparse", "solver"),
    [
        (5, (10, 50), False, "full"),
        (50, (1000, 50), False, "covariance_eigh"),
        (400, (1000, 500), False, "full"),
        (10, (1000, 500), False, "randomized"),
        (0.5, (1000, 500), False, "full"),
        (None, (2000, 5000), False, "full"),
        (10, (600, 5000), False, "dual"),
        (10, (600, 5000), True, "arpack"),
    ],
)
def test_automatic_choice(n_components, shape, sparse, solver):
    assert choose("auto", n_components, shape, sparse) == solver


@pytest.mark.parametrize("bad", [-1, 1.5, 0.0, "all", True, [2]])
def test_bad_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="PCA: n_components must be None, an integer"):
        check_components(PCA(), bad)


def test_more_than_there_are():
    with pytest.raises(ValueError, match=r"PCA: n_components=9 must be between 0 and min"):
        resolved_components(PCA(), 9, "full", (8, 20), False)
    assert resolved_components(PCA(), np.int64(3), "full", (8, 20), False) == 3
