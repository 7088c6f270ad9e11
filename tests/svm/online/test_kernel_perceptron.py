"""The kernel perceptron: mistakes, their bound, and what happens without separation."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from margin.svm import KernelPerceptron


def test_counts_are_bounded_by_the_margin():
    """svm.14: at most (R / gamma)^2 corrections, gamma the best margin without bias."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = np.where(X[:, 0] > 0, 1, -1)
    model = KernelPerceptron(kernel="linear", max_iter=1000, average=False).fit(X, y)
    assert (model.predict(X) == y).all()
    gamma = np.min(np.abs(X[:, 0]))  # that of one direction: the best is no smaller
    assert 0 < model.counts_.sum() <= np.square(X).sum(axis=1).max() / gamma**2
    w = (model.counts_[0] * y) @ X
    assert np.allclose(model.decision_function(X), X @ w)


def test_three_classes():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(20, 2)) * 0.2 + c for c in ([0, 2], [2, 0], [-2, -2])])
    y = np.repeat(["a", "b", "c"], 20)
    model = KernelPerceptron().fit(X, y)
    assert model.score(X, y) == 1
    assert model.counts_.shape == (3, 60)


def test_same_point_in_both_classes_warns():
    with pytest.warns(ConvergenceWarning, match="the classes may overlap"):
        KernelPerceptron(max_iter=5).fit([[0.0], [0.0], [1.0]], [0, 1, 1])


@pytest.mark.parametrize("average", [True, False], ids=["mean", "best"])
def test_weights_are_copies(average):
    """svm.14: visits in proportion to the weights; zero leaves a row out."""
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(50, 2)), rng.integers(0, 4, size=50)
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=50), [-0.5, 0.5])
    machine = KernelPerceptron(gamma=0.1, average=average, n_iter_no_change=10)
    one = clone(machine).fit(X, y, sample_weight=weight)
    two = clone(machine).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.allclose(one.decision_function(X), two.decision_function(X))
    assert one.fit_report_.objective == pytest.approx(two.fit_report_.objective)
    assert one.fit_report_.objective > 0
