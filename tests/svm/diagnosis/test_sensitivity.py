"""Sensitivity to price, width and noise (svm.20)."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_score

from margin.svm import SVC, sensitivity

mpl.use("Agg")
X, Y = make_moons(90, noise=0.2, random_state=0)


def test_report_of_grid_and_noise():
    """svm.20: the scores are those of cross-validation; noise dimensions cost accuracy."""
    report = sensitivity(SVC(), X, Y, C=(0.1, 10.0), gamma=(0.01, 1.0), noise=(0, 40), cv=3)
    expected = cross_val_score(SVC(C=10.0, gamma=1.0), X, Y, cv=3).mean()
    assert report.scores.shape == (2, 2)
    assert report.scores[1, 1] == expected
    assert report.best == {"C": 10.0, "gamma": 1.0}
    assert report.spread > 0.05
    assert report.noise_loss > 0.1
    assert "columns of noise" in repr(report)
    assert report.plot().get_xlabel() == "gamma"


def test_bad_requests():
    with pytest.raises(ValueError, match="sensitivity: X must be a table"):
        sensitivity(SVC(), np.zeros(4), Y)
    with pytest.raises(ValueError, match="noise from 0"):
        sensitivity(SVC(), X, Y, noise=(3,))
