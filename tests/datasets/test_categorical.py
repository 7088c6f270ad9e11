import numpy as np

from margin.datasets._categorical import draw


def test_frequencies_follow_the_rows():
    row = np.array([0.2, 0.0, 0.5, 0.3])
    codes = draw(np.tile(row, (40_000, 1)), np.random.default_rng(0))
    frequency = np.bincount(codes, minlength=4) / len(codes)
    # Five standard errors of a proportion of one half.
    assert np.abs(frequency - row).max() < 5 * 0.5 / np.sqrt(len(codes))
    assert frequency[1] == 0


def test_rounding_never_leaves_the_states():
    class Largest:
        def random(self, n):
            return np.full(n, np.nextafter(1.0, 0.0))

    rows = np.tile([0.1] * 10, (3, 1))
    assert rows[0].cumsum()[-1] < 1.0
    assert draw(rows, Largest()).tolist() == [9, 9, 9]
