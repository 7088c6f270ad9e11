"""The choice of the solver, with its reason."""

import numpy as np
import pytest

from margin.gp._inputs import Precomputed
from margin.gp.regression._choice import choose, compact_latent, share_of
from margin.kernels import RBF, Wendland, White


def test_small_is_exact_and_large_is_variational():
    kernel = RBF(1.0) + White(0.1)
    assert choose("GP", "auto", kernel, 2000)[0] == "exact"
    method, reason = choose("GP", "auto", kernel, 2001)
    assert method == "variational"
    assert "2001 rows" in reason


def test_what_is_asked_for_is_done():
    assert choose("GP", "fitc", RBF(1.0), 10) == ("fitc", "")
    assert choose("GP", "exact", RBF(1.0), 2001) == ("exact", "")


def test_unsuitable_kernels_stay_exact():
    assert choose("GP", "auto", Precomputed(), 3000)[0] == "exact"
    method, reason = choose("GP", "auto", 2.0 * (RBF(1.0) + White(0.1)), 3000)
    assert method == "exact"
    assert "noise" in reason
    with pytest.raises(ValueError, match="method must be"):
        choose("GP", "fitc", Precomputed(), 10)


def test_sparse_matrices_are_taken_as_such():
    """gp.05: the other half of the choice is for compact kernels."""
    kernel = Wendland(1.0) + White(0.1)
    assert choose("GP", "auto", kernel, 2001, 2, 0.01)[0] == "compact"
    assert choose("GP", "auto", kernel, 2001, 2, 0.5)[0] == "variational"
    assert choose("GP", "auto", kernel, 2000, 2, 0.01)[0] == "exact"
    assert choose("GP", "compact", kernel, 10, 2) == ("compact", "")
    assert choose("GP", "cg", RBF(1.0), 10, 2) == ("cg", "")
    assert compact_latent(kernel) == Wendland(1.0)
    assert compact_latent(2.0 * (Wendland(1.0) + White(0.1))) is None
    with pytest.raises(ValueError, match="of compact support"):
        choose("GP", "compact", RBF(1.0) + White(0.1), 10, 2)


def test_the_share_is_looked_at_only_where_it_matters():
    kernel, line = Wendland(1.0, dimension=1) + White(0.1), np.arange(3000.0)[:, None]
    assert share_of(kernel, line[:2000]) == 1.0
    assert share_of(RBF(1.0), line) == 1.0
    assert share_of(kernel, ["a"] * 3000) == 1.0
    assert share_of(kernel, 0.75 * line) == pytest.approx(3 / 3000, rel=0.01)
