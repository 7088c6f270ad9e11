"""Labels of queries without neighbours."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.neighbors.models._class_targets import ClassTargets
from margin.neighbors.models._outlier_labels import OutlierLabels

ONE, TWO = ClassTargets.of([1, 2, 2]), ClassTargets.of([[1, 5], [2, 5], [2, 6]])


def test_labels():
    assert OutlierLabels.of("M", None, ONE).shown is None
    assert OutlierLabels.of("M", "most_frequent", ONE).shown == 2
    assert OutlierLabels.of("M", "most_frequent", TWO).shown == [2, 5]
    assert OutlierLabels.of("M", 9, TWO).codes == (-1, -1)
    assert OutlierLabels.of("M", [1, 9], TWO).codes == (0, -1)


def test_written_in():
    lonely = np.array([False, True])
    labels = OutlierLabels.of("M", "outside", ClassTargets.of(["a", "b"]))
    assert_array_equal(labels.into(np.array(["a", "b"]), lonely), ["a", "outside"])
    assert_array_equal(
        OutlierLabels.of("M", [1, 9], TWO).into(np.array([[2, 5], [2, 6]]), lonely),
        [[2, 5], [1, 9]],
    )


@pytest.mark.parametrize(
    ("asked", "targets", "error", "message"),
    [
        ([1, 2], ONE, TypeError, "supposed to be a scalar"),
        ([1], TWO, ValueError, "inconsistent with the output length"),
        ("a", ONE, TypeError, "is inconsistent with"),
        ([[1], 2], TWO, TypeError, "supposed to be a scalar"),
        (object(), ONE, ValueError, "outlier_label must be None"),
    ],
)
def test_refusals(asked, targets, error, message):
    with pytest.raises(error, match=message):
        OutlierLabels.of("M", asked, targets)
