"""The interface at some slices, against enumeration of all slices."""

import numpy as np
import pytest
from networks import STRUCTURES, fits, joint, network

from margin.sequence.dynamic_network._interface import interface, prolonged
from margin.sequence.dynamic_network._tables import Seen

LENGTH = 3


def seen_of(s, codes):
    return Seen.of(s, codes.reshape(-1, s.n), np.arange(len(codes) + 1) * LENGTH, 1)


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("given", ["all", "past"])
def test_by_enumeration(kind, given):
    s, tables = network(kind)
    rng = np.random.default_rng(1)
    some = rng.integers(0, s.cards, (4, LENGTH, s.n))
    some[rng.random(some.shape) < 0.5] = -1
    rows = np.array([0, 2, 4, 8, 11])
    answer = interface("Model", seen_of(s, some), tables, rows, given)
    codes, p = joint(s, tables, LENGTH)
    parts = [codes[:, :, v] for v in s.interface] or [np.zeros(codes.shape[:2], int)]
    place = np.ravel_multi_index(parts, s.shape or (1,))
    for out, row in zip(answer, rows, strict=True):
        one, t = some[row // LENGTH].copy(), row % LENGTH
        if given == "past":
            one[t + 1 :] = -1
        here = fits(codes, one)
        if out.ndim == 1:
            want = np.bincount(place[here, t], p[here], s.n_states)
        elif t:
            pairs = place[here, t - 1] * s.n_states + place[here, t]
            want = np.bincount(pairs, p[here], s.n_states**2).reshape(s.n_states, -1)
        else:  # nothing is before: any interface, as likely as any other
            now = np.bincount(place[here, t], p[here], s.n_states)
            want = np.tile(now, (s.n_states, 1))
        np.testing.assert_allclose(out / out.sum(), want / want.sum(), atol=1e-12)


def test_unobserved_slices_are_put_behind():
    s, _ = network(next(iter(STRUCTURES)))
    codes = np.zeros((2, LENGTH, s.n), dtype=np.int64)
    longer = prolonged(seen_of(s, codes), 5)
    assert np.diff(longer.offsets).tolist() == [5, 5]
    rows = longer.kinds[longer.which]
    assert (rows[[0, 1, 2, 5, 6, 7]] == 0).all()
    assert (rows[[3, 4, 8, 9]] == -1).all()
    assert np.diff(prolonged(seen_of(s, codes), 0, 2).offsets).tolist() == [5, 5]
    assert np.diff(prolonged(seen_of(s, codes), 2).offsets).tolist() == [3, 3]
