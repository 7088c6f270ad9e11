"""What the counting machines share."""

import numpy as np

from margin.svm import KernelPerceptron
from margin.svm._kernel_counts import start


def test_one_sign_column_per_machine():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array(["a", "b", "c"])
    _, _, K, signs = start(KernelPerceptron(kernel="linear"), X, y)
    assert signs.tolist() == [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    assert np.allclose(K, X @ X.T)
    _, _, _, pair = start(KernelPerceptron(), X, np.array([0, 1, 1]))
    assert pair.tolist() == [[-1, 1, 1]]
