"""Classes of one or several targets."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import DataConversionWarning

from margin.neighbors.models._class_targets import ClassTargets


def test_one_target():
    targets = ClassTargets.of(["b", "a", "b"])
    assert_array_equal(targets.shown, ["a", "b"])
    assert_array_equal(targets.codes, [[1], [0], [1]])
    assert_array_equal(targets.labels(targets.codes), ["b", "a", "b"])
    assert targets.probabilities([1]) == 1


def test_several_targets():
    targets = ClassTargets.of([[1, 5], [2, 5]])
    assert [c.tolist() for c in targets.shown] == [[1, 2], [5]]
    assert_array_equal(targets.labels(targets.codes), [[1, 5], [2, 5]])
    assert targets.probabilities([1, 2]) == [1, 2]


def test_a_column_is_a_vector_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert not ClassTargets.of([[1], [2]]).many
    with pytest.raises(ValueError, match="Unknown label type"):
        ClassTargets.of(np.array([0.1, 0.2]))
