"""Visits of counting machines against a NumPy twin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.duals.kernel_counts import count_steps


def sample(n=150, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    K = np.exp(-np.square(X[:, None] - X).sum(axis=2))
    return K, rng.integers(0, n_classes, size=n), rng.integers(0, n, size=2 * n)


def twin(K, order, code, machines, shape, slope, elapsed):
    f, counts, late = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for t, i in enumerate(order, start=elapsed):
        for k in machines:
            sign = 1.0 if code[i] == (1 if shape[0] == 1 else k) else -1.0
            value = sign * f[k, i]
            if value < slope * t or value == slope * t == 0:
                f[k] += sign * K[i]
                counts[k, i] += 1
                late[k, i] += t
    return f, counts, late


@pytest.mark.parametrize("slope", [0.0, 0.02])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("elapsed", [0, 7])
@pytest.mark.parametrize("machines", [[0], [0, 2], [0, 1, 2]], ids=["one", "two", "all"])
def test_steps_agree_with_their_twin(slope, dtype, elapsed, machines):
    """svm.11, svm.14: corrections within a block of visits act on the rest of it at once."""
    K, code, order = sample()
    shape = (1 if len(machines) == 1 else 3, len(K))
    code = code % 2 if shape[0] == 1 else code
    f, counts, late = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    made = count_steps(
        K.astype(dtype), order, code, np.array(machines), f, counts,
        slope=slope, elapsed=elapsed, late=late,
    )  # fmt: skip
    wanted = twin(K.astype(dtype).astype(float), order, code, machines, shape, slope, elapsed)
    assert_allclose(f, wanted[0], rtol=1e-10, atol=1e-10)
    assert_array_equal(counts, wanted[1])
    assert_array_equal(late, wanted[2])
    assert made == wanted[1].sum() > 0


def test_nothing_to_visit():
    f, none = np.zeros((1, 2)), np.empty(0, dtype=np.int64)
    assert count_steps(np.eye(2), none, np.array([0, 1]), np.array([0]), f, f.copy()) == 0
    empty = np.zeros((1, 0))
    assert count_steps(np.zeros((0, 0)), none, none, np.array([0]), empty, empty.copy()) == 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"visits": np.array([2])}, "row out of range"),
        ({"visits": np.array([-1])}, "row out of range"),
        ({"machines": np.array([1])}, "machine out of range"),
        ({"K": np.ones((2, 3))}, "different shape"),
        ({"code": np.array([0])}, "different shape"),
        ({"counts": np.zeros((1, 3))}, "different shape"),
        ({"late": np.zeros((2, 2))}, "different shape"),
    ],
    ids=["above", "below", "machine", "matrix", "codes", "counts", "late"],
)
def test_refuses_what_does_not_fit(change, text):
    good = {
        "K": np.eye(2), "visits": np.array([0, 1]), "code": np.array([0, 1]),
        "machines": np.array([0]), "values": np.zeros((1, 2)), "counts": np.zeros((1, 2)),
    }  # fmt: skip
    with pytest.raises(ValueError, match=text):
        count_steps(**{**good, **change})
