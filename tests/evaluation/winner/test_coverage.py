"""Coverage of intervals."""

import numpy as np

from margin.evaluation import coverage


def test_counts_and_words():
    y = np.array([0.0, 1.0, 2.0, 3.0])
    interval = np.array([[-1.0, 1.0], [0.0, 3.0], [3.0, 4.0], [2.0, 3.0]])
    cover = coverage(y, interval, 0.9)
    assert (cover.inside, cover.n, cover.share) == (3, 4, 0.75)
    assert cover.width == 1.5
    assert cover.text.startswith("90 % intervals hold 3 of 4 test targets (75 %)")
