from itertools import pairwise

import numpy as np

from margin.sequence.hidden_markov._parts import divided, part_size


def test_parts_cover_all_sequences():
    """sequence.16: whole sequences, never more steps than the root of the longest."""
    rng = np.random.default_rng(0)
    lengths = np.r_[rng.integers(0, 400, 50), 2_000_000, rng.integers(0, 3000, 20), 0, 0]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    parts = list(divided(offsets))
    assert parts[0].start == 0
    assert parts[-1].stop == len(lengths)
    assert all(a.stop == b.start for a, b in pairwise(parts))
    most = part_size(2_000_000)
    for part in parts:
        assert lengths[part].sum() <= most or part.stop - part.start == 1
    assert len(parts) < 60


def test_the_size_is_a_root():
    assert part_size(10) == part_size(1024**2) == 1024
    assert part_size(10**8) == 10**4
