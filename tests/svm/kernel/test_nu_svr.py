"""Regression that finds the width of its tube (svm.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import svm as peer

from margin.svm import SVR, NuSVR

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(120, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.2 * RNG.normal(size=120)


@pytest.mark.parametrize("C", [1.0, 10.0])
def test_same_machine_as_scikit_learn(C):
    theirs = peer.NuSVR(C=C, nu=0.4, tol=1e-7).fit(X, Y)
    ours = NuSVR(C=C, nu=0.4, tol=1e-7).fit(X, Y)
    assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)


def test_it_is_the_regression_of_the_width_found():
    """svm.15: the same machine as SVR with epsilon_, and nu between errors and support."""
    ours = NuSVR(C=1.0, nu=0.4, tol=1e-9, gamma=0.5).fit(X, Y)
    fixed = SVR(C=1.0, epsilon=ours.epsilon_, tol=1e-9, gamma=0.5).fit(X, Y)
    assert_allclose(fixed.predict(X), ours.predict(X), atol=1e-5)
    report = ours.support_report_
    assert len(report.margin_errors) <= 0.4 * 120 <= len(report.support)


def test_bad_parameters():
    for params, text in (({"nu": 0.0}, "nu must be"), ({"C": np.inf}, "C must be")):
        with pytest.raises(ValueError, match=f"NuSVR: {text}"):
            NuSVR(**params).fit(X, Y)
