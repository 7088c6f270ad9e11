"""Weights of rows and classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.svm import SVC, NuSVC
from margin.svm._row_weights import row_weights

CLASSES, CODES = np.array(["a", "b"]), np.array([0, 0, 0, 1])


def test_balanced_classes_weigh_the_same():
    weight = np.array([1.0, 2.0, 1.0, 2.0])
    balanced = row_weights("SVC", CLASSES, CODES, weight, "balanced")
    assert_allclose(balanced[CODES == 0].sum(), balanced[CODES == 1].sum())
    assert_allclose(balanced[1] / balanced[0], 2.0)


def test_refusals():
    with pytest.raises(ValueError, match="SVC: class_weight must be at least 0 for every class"):
        row_weights("SVC", CLASSES, CODES, None, {"a": -1.0})
    with pytest.raises(ValueError, match="SVC: sample_weight must be above 0 in at least 2"):
        row_weights("SVC", CLASSES, CODES, np.array([1.0, 1.0, 1.0, 0.0]))


def test_what_follows_where_one_class_is_left():
    rows, labels = np.eye(4), [0, 0, 1, 1]
    with pytest.raises(ValueError, match="the same class: the specified nu is infeasible"):
        NuSVC().fit(rows, labels, sample_weight=[1, 1, 0, -1])
    with pytest.raises(ValueError, match=r"the same class$"):
        SVC().fit(rows, labels, sample_weight=[1, 1, 0, -1])
