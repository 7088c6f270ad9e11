"""The compiled propagation against NumPy, and its border."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.junction.junction import HIDDEN, SLICED, UNARY, Junction

CARDS = np.array([2, 3, 2], dtype=np.int64)
SCOPES = (np.array([0, 2, 4], dtype=np.int64), np.array([0, 1, 2, 1], dtype=np.int64))
RNG = np.random.default_rng(0)
A, B = RNG.random((2, 3)), RNG.random((2, 3))
FLAT = np.concatenate([A.ravel(), B.ravel()])
JOINT = np.einsum("ab,cb->abc", A, B)


def roles(*values):
    return np.array(values, dtype=np.uint8)


def states(*rows):
    return np.array(rows, dtype=np.int32)


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("n_rows", [0, 1, 15, 16, 17, 40])
def test_marginals_of_any_number_of_rows(batch, n_rows):
    program = Junction(CARDS, SCOPES, roles(HIDDEN, UNARY, SLICED), batch=batch)
    evidence = np.full((n_rows, 3), -1, dtype=np.int32)
    evidence[:, 2] = RNG.integers(2, size=n_rows)
    likelihood = RNG.random((n_rows, 3))
    mass, out = program.marginals(FLAT, evidence, {1: likelihood}, 7, 1)
    for row in range(n_rows):
        table = JOINT[:, :, evidence[row, 2]] * likelihood[row]
        assert_allclose(np.exp(mass[row]), table.sum())
        assert_allclose(out[row, :2], table.sum(1) / table.sum(), atol=1e-14)
        assert_allclose(out[row, 2:5], table.sum(0) / table.sum(), atol=1e-14)
        assert_allclose(out[row, 5:], np.eye(2)[evidence[row, 2]])


@pytest.mark.parametrize("batch", [False, True])
def test_joints_counts_and_maxima(batch):
    hidden = roles(HIDDEN, HIDDEN, HIDDEN)
    nothing = states([-1, -1, -1])
    program = Junction(CARDS, SCOPES, hidden, query=[2, 0], batch=batch)
    _, joint = program.joint(FLAT, nothing, {}, 4, 1)
    assert_allclose(joint.reshape(2, 2), JOINT.sum(1).T / JOINT.sum(), atol=1e-14)
    plain = Junction(CARDS, SCOPES, hidden, batch=batch)
    _, counts = plain.counts(FLAT, nothing, {}, np.array([2.0]), 1)
    assert_allclose(counts[:6].reshape(2, 3), 2 * JOINT.sum(2) / JOINT.sum(), atol=1e-14)
    value, best = plain.best(FLAT, nothing, {}, 1)
    assert_allclose(np.exp(value[0]), JOINT.max())
    assert JOINT[tuple(best[0])] == JOINT.max()


def test_tables_of_any_scale():
    program = Junction(CARDS, SCOPES, roles(HIDDEN, HIDDEN, HIDDEN))
    reference = program.marginals(FLAT, states([-1, -1, -1]), {}, 7, 1)
    for scale in (1e-300, 1e300):
        mass, out = program.marginals(FLAT * scale, states([-1, -1, -1]), {}, 7, 1)
        assert_allclose(mass, reference[0] + 2 * np.log(scale))
        assert_allclose(out, reference[1], atol=1e-14)


def test_description_without_tables():
    program = Junction(CARDS, SCOPES, roles(HIDDEN, HIDDEN, HIDDEN))
    found = program.describe()
    assert sorted(sorted(c) for c in found["cliques"]) == [[0, 1], [1, 2]]
    assert sorted(found["parents"]) == [-1, 0]
    assert program.entries == 12
    assert sorted(found["order"]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("evidence", "width", "message"),
    [
        (states([-1, -1]), 7, "another width"),
        (states([-1, 3, 0]), 7, "does not fit"),
        (states([-1, -1, -1]), 7, "does not fit"),  # a sliced variable must be observed
        (states([0, -1, 0]), 7, "does not fit"),  # a hidden one must not
        (states([-1, -1, 0]), 6, "different shape"),
    ],
)
def test_evidence_that_does_not_fit_is_refused(evidence, width, message):
    program = Junction(CARDS, SCOPES, roles(HIDDEN, UNARY, SLICED))
    with pytest.raises(ValueError, match=message):
        program.marginals(FLAT, evidence, {}, width, 1)


def test_malformed_structure_and_tables_are_refused():
    everything = roles(HIDDEN, HIDDEN, HIDDEN)
    none, start, variables = np.array([], dtype=np.int64), *SCOPES
    bad = [
        (CARDS * 0, start, variables, everything, none, none),
        (CARDS, start, variables + 5, everything, none, none),
        (CARDS, start + 1, variables, everything, none, none),
        (CARDS, start[::-1].copy(), variables, everything, none, none),
        (CARDS, start, variables, everything[:2], none, none),
        (CARDS, start, variables, everything + 7, none, none),
        (CARDS, start, variables, everything, np.array([9]), none),
        (CARDS, start, variables, everything, none, np.array([0, 1])),
        (CARDS, start, variables, everything, none, np.array([0, 1, 1])),
    ]
    for arguments in bad:
        with pytest.raises(ValueError, match="junction"):
            _native.Junction(*arguments, -1, False)
    program = Junction(CARDS, SCOPES, everything)
    with pytest.raises(ValueError, match="another size"):
        program.marginals(FLAT[:-1], states([-1, -1, -1]), {}, 7, 1)
    for value in (-1.0, np.nan, np.inf):
        broken = FLAT.copy()
        broken[3] = value
        with pytest.raises(ValueError, match="finite and non-negative"):
            program.marginals(broken, states([-1, -1, -1]), {}, 7, 1)
