"""WestonWatkinsSVC: its loss, and the bias."""

import numpy as np

from margin.svm import WestonWatkinsSVC


def test_losses_by_hand():
    """svm.16: every rival nearer than 2 costs what it lacks."""
    scores = np.array([[2.0, 0.0, 0.5], [0.0, 0.0, -3.0]])
    assert WestonWatkinsSVC.losses(scores, np.array([0, 0])).tolist() == [0.5, 2.0]


def test_bias_takes_up_a_shift():
    """svm.16 against svm.17: with a bias a shift of the table changes nothing."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.argmax(X @ rng.normal(size=(2, 3)), axis=1)
    Z = X + np.array([0.5, -0.5])
    here = WestonWatkinsSVC(kernel="linear", tol=1e-6, max_iter=100_000).fit(X, y)
    there = WestonWatkinsSVC(kernel="linear", tol=1e-6, max_iter=100_000).fit(Z, y)
    assert np.allclose(
        here.dual_coef_ @ X[here.support_],
        there.dual_coef_ @ Z[there.support_],
        atol=1e-2,
    )
