"""Fitting without a word."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge

from margin.evaluation.race._quiet_fit import fit_quietly, one_line, report_of


def test_a_warning_tells_of_trouble_where_there_is_no_report():
    class Warns(Ridge):
        def fit(self, X, y):
            warnings.warn("far from it", ConvergenceWarning, stacklevel=2)
            return super().fit(X, y)

    X, y = np.eye(3), np.arange(3.0)
    assert fit_quietly(Warns(), X, y) == "not converged"
    assert fit_quietly(Ridge(), X, y) == "ok"
    assert report_of(Ridge().fit(X, y)) == ""


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("a\nb"), "a"),
        (KeyError("k"), "KeyError: 'k'"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_errors_in_one_line(error, text):
    assert one_line(error) == text
