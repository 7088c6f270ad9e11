"""Groups of training rows (svm.04)."""

import numpy as np
from numpy.testing import assert_array_equal

from margin.svm.diagnosis._support_report import support_report


def test_groups_and_words():
    """svm.04."""
    coef, bound = np.array([0.0, 0.5, -1.0, 1.0, 0.0]), np.array([1, 1, 1, 1, 0.0])
    margin = np.array([2.0, 1.0, 0.3, -0.5, -1.0])
    report = support_report(coef, bound, margin, np.arange(10, 15), 1e-3)
    assert_array_equal(report.unbound, [11])
    assert_array_equal(report.bound, [12, 13])
    assert_array_equal(report.margin_errors, [12, 13, 14])
    assert_array_equal(report.training_errors, [13, 14])
    assert_array_equal(report.support, [11, 12, 13])
    assert report.leave_one_out_bound == 3 / 5
    assert "3 of 5 rows carry the machine" in repr(report)
    assert "at most 0.6" in repr(report)
