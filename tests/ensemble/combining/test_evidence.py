"""Evidence kept of models that were fitted together."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import GaussianNB as Theirs

from margin.core import Status
from margin.ensemble.combining._evidence import gathered, spread_of
from margin.linear import LogisticRegression

X, Y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2


def test_the_worst_member_is_named():
    good = LogisticRegression().fit(X, Y)
    with pytest.warns(ConvergenceWarning):
        poor = LogisticRegression(max_iter=1, tol=1e-12, solver="lbfgs").fit(X, Y)
    report = gathered("Both", {"good": good, "poor": poor, "other": Theirs().fit(X, Y)})
    assert report.status is poor.fit_report_.status
    assert report.message.startswith("poor: ")
    assert gathered("One", {"good": good}).status is Status.CONVERGED


def test_spread_is_weighted():
    dist = spread_of([np.zeros(2), np.ones(2)], [1.0, 3.0])
    np.testing.assert_allclose(dist.mean, 0.75)
