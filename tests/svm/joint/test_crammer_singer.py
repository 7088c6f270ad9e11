"""CrammerSingerSVC against liblinear's solver of the same problem."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC as Peer

from margin.svm import CrammerSingerSVC


def test_losses_by_hand():
    scores = np.array([[2.0, 0.0, 0.5], [0.0, 0.0, 1.0]])
    assert CrammerSingerSVC.losses(scores, np.array([0, 0])).tolist() == [0.0, 2.0]


def test_liblinear_has_the_same_minimum():
    """svm.18"""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.argmax(X + 0.5 * rng.normal(size=(90, 3)), axis=1)
    model = CrammerSingerSVC(C=0.5, kernel="linear", tol=1e-7, max_iter=50_000).fit(X, y)
    options = {"C": 0.5, "fit_intercept": False, "tol": 1e-8, "max_iter": 10**6}
    peer = Peer(multi_class="crammer_singer", random_state=0, **options).fit(X, y)
    assert np.allclose(model.decision_function(X), X @ peer.coef_.T, atol=2e-3)


@pytest.mark.parametrize("bad", [{"C": 0.0}, {"tol": 0.0}, {"max_iter": 0}, {"kernel": "cubic"}])
def test_refuses(bad):
    with pytest.raises(ValueError, match=f"CrammerSingerSVC: {next(iter(bad))} must be"):
        CrammerSingerSVC(**bad).fit([[0.0], [1.0]], [0, 1])
