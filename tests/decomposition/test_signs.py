"""Signs of axes."""

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.utils.extmath import svd_flip

from margin.decomposition._signs import signed_rows


def test_signs_are_those_of_scikit_learn():
    axes = np.random.default_rng(0).normal(size=(5, 7))
    theirs = svd_flip(None, axes.copy(), u_based_decision=False)[1]
    assert_array_equal(signed_rows(axes), theirs)


def test_no_axes():
    assert signed_rows(np.empty((0, 3))).shape == (0, 3)
