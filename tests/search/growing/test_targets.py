import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.core import FitError
from margin.search import (
    Labels,
    best_labels,
    number_targets,
    refuse_overflow,
    refuse_sparse,
    row_weights,
    split_outputs,
)


def test_labels_of_several_outputs():
    labels = Labels.of(np.array([["a", "x"], ["b", "x"], ["a", "y"]]))
    np.testing.assert_array_equal(labels.targets.codes, [[0, 1, 0], [0, 0, 1]])
    shares = np.array([[0.2, 0.8, 0.6, 0.4]])
    np.testing.assert_array_equal(best_labels(labels.classes, shares), [["b", "x"]])
    assert [part.shape for part in split_outputs(labels.classes, shares)] == [(1, 2), (1, 2)]


def test_counts_of_poisson():
    with pytest.raises(ValueError, match="at least 0 for criterion='poisson', got -1"):
        number_targets("Tree", np.array([-1.0, 2.0]), "poisson")
    with pytest.raises(ValueError, match="above 0 somewhere"):
        number_targets("Tree", np.zeros(2), "poisson")


def test_sparse_targets():
    with pytest.raises(TypeError, match="Tree: y must be dense"):
        refuse_sparse("Tree", csr_array(np.eye(2)))


def test_weights_of_classes_multiply():
    y = np.array([0, 0, 1])
    np.testing.assert_allclose(
        row_weights("Tree", {0: 2.0, 1: 3.0}, y, np.array([1.0, 2.0, 1.0]), 1), [2, 4, 3]
    )
    np.testing.assert_allclose(row_weights("Tree", "balanced", y, None, 1), [0.75, 0.75, 1.5])
    for bad in ("some", 3, {0: 1.0}):
        with pytest.raises(ValueError, match="class_weight must be"):
            row_weights("Tree", bad, np.stack([y, y], axis=1), None, 2)


def test_sums_beyond_the_largest_number():
    far = np.array([1e200, -1e200])
    with pytest.raises(FitError, match=r"^Tree: the impurities are beyond the largest number"):
        number_targets("Tree", far, "squared_error")
    number_targets("Tree", far, "absolute_error")
    with pytest.raises(FitError, match="scale the target or the weights"):
        number_targets("Tree", far / 1e100, "squared_error", np.full(2, 1e300))
    refuse_overflow("Tree", 1.0, 2, np.full(2, 1e300))
    with pytest.raises(FitError):
        refuse_overflow("Tree", 1e10, 2, np.full(2, 1e300))
