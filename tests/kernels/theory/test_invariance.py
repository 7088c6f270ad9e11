"""Invariances of kernels (kernels.24)."""

import pytest

from margin.kernels import (
    RBF,
    Intersection,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Sigmoid,
    invariances,
    normalise,
)

MOVES = {"translation", "rotation", "reflection", "permutation"}


@pytest.mark.parametrize(
    ("kernel", "wanted"),
    [
        (RBF(0.7), MOVES),
        (Matern(0.7), MOVES),
        (Linear(), MOVES - {"translation"}),
        (Polynomial(3), MOVES - {"translation"}),
        (Sigmoid(), MOVES - {"translation"}),
        (Laplacian(), MOVES - {"rotation"}),
        (RBF((1.0, 3.0, 2.0)), {"translation", "reflection"}),
        (normalise(Linear()), MOVES - {"translation"} | {"scaling"}),
        (Intersection(), {"permutation"}),
    ],
)
def test_report(kernel, wanted):
    """kernels.24: radial kernels see neither translation nor rotation, products only rotation."""
    report = invariances(kernel, 3, rng=0)
    assert set(report.invariances) == wanted
    assert str(report).startswith("invariant to")


def test_nothing():
    assert str(invariances(Linear([[2.0, 0.3], [0.3, 1.0]]), rng=0)) == "invariant to nothing tried"
