"""The step M against regressions written out."""

import numpy as np

from margin.sequence.state_space._expectation import RegressionMoments, SystemMoments
from margin.sequence.state_space._maximisation import Constraints, maximised
from margin.sequence.state_space._parameters import SystemParameters


def setting(rng, rows=50):
    X, U = rng.normal(size=(rows, 2)), rng.normal(size=(rows, 1))
    Z = np.column_stack([X, U, np.ones(rows)])
    new, Y = rng.normal(size=(rows, 2)), rng.normal(size=(rows, 3))
    moments = SystemMoments(
        RegressionMoments(Z.T @ Z, new.T @ Z, new.T @ new, rows),
        RegressionMoments(Z.T @ Z, Y.T @ Z, Y.T @ Y, rows),
        rng.normal(size=(4, 2)),
        np.repeat(np.eye(2)[None], 4, axis=0),
    )
    at = SystemParameters(
        A=np.zeros((2, 2)), B=np.zeros((2, 1)), b=np.zeros(2), C=np.zeros((3, 2)),
        D=np.zeros((3, 1)), d=np.zeros(3), Q=np.eye(2), R=np.eye(3), mean=np.zeros(2),
        cov=np.eye(2),
    )  # fmt: skip
    return Z, new, Y, moments, at


def test_free_maps_are_least_squares():
    Z, new, Y, moments, at = setting(np.random.default_rng(0))
    found = maximised(moments, at, Constraints({}, "full", "full", True, 0.0))
    np.testing.assert_allclose(found.state_map, np.linalg.lstsq(Z, new)[0].T, atol=1e-10)
    rest = Y - Z @ np.linalg.lstsq(Z, Y)[0]
    np.testing.assert_allclose(found.R, rest.T @ rest / 50, atol=1e-10)


def test_held_blocks_stay_and_the_rest_is_least_squares():
    Z, new, _, moments, at = setting(np.random.default_rng(1))
    A = np.array([[0.5, 0.1], [0.0, 0.3]])
    found = maximised(moments, at, Constraints({"A": A}, "diagonal", "spherical", False, 0.0))
    np.testing.assert_array_equal(found.A, A)
    np.testing.assert_array_equal(found.b, np.zeros(2))
    rest = new - Z[:, :2] @ A.T
    np.testing.assert_allclose(found.B, np.linalg.lstsq(Z[:, 2:3], rest)[0].T, atol=1e-10)
    assert found.R[0, 0] == found.R[2, 2]
    assert found.Q[0, 1] == 0.0
