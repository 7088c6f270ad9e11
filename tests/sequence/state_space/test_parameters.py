"""Parameters with inputs as a system."""

import numpy as np

from margin.sequence.state_space._parameters import SystemParameters, split_map


def test_inputs_become_offsets():
    rng = np.random.default_rng(0)
    parts = {
        "A": np.eye(2), "B": rng.normal(size=(2, 3)), "b": np.ones(2), "C": np.ones((1, 2)),
        "D": rng.normal(size=(1, 3)), "d": np.zeros(1), "Q": np.eye(2), "R": np.eye(1),
        "mean": np.zeros(2), "cov": np.eye(2),
    }  # fmt: skip
    at, U = SystemParameters(**parts), rng.normal(size=(4, 3))
    system = at.system(U)
    np.testing.assert_allclose(system.b[2], at.b + at.B @ U[2])
    np.testing.assert_allclose(system.d[1], at.d + at.D @ U[1])
    assert at.system(np.zeros((4, 0))).constant
    for part, name in zip(split_map(at.state_map, 2), "ABb", strict=True):
        np.testing.assert_array_equal(part, parts[name])
