import numpy as np
import pytest

from margin.decomposition.manifold._dissimilarities import check_metric, dissimilarities


def test_metrics_by_name_and_function():
    X = np.array([[0.0, 0.0, 1.0], [3.0, 4.0, 1.0]])
    assert dissimilarities("MDS", X, "manhattan", None)[0, 1] == 7
    assert dissimilarities("MDS", X, "minkowski", {"p": 1})[0, 1] == 7
    assert dissimilarities("MDS", X, lambda a, b: abs(a - b).max(), None)[0, 1] == 4
    assert dissimilarities("MDS", X[:1], "euclidean", None, X)[0, 1] == 5


def test_given_distances_are_checked():
    D = np.array([[0.0, 1.0], [2.0, 0.0]])
    with pytest.raises(ValueError, match="MDS: X must be a symmetric matrix"):
        dissimilarities("MDS", D, "precomputed", None)
    with pytest.raises(ValueError, match="square"):
        dissimilarities("MDS", D[:1], "precomputed", None)
    with pytest.raises(ValueError, match="at least 0"):
        dissimilarities("MDS", -D, "precomputed", None)
    unknown = np.array([[0.0, np.nan], [np.nan, 0.0]])
    assert np.isnan(dissimilarities("MDS", unknown, "precomputed", None)[0, 1])
    with pytest.warns(UserWarning, match="square matrix"):
        dissimilarities("MDS", D, "euclidean", None)


def test_nonsense_is_named():
    class Model:
        metric, metric_params = 3, None

    with pytest.raises(ValueError, match="Model: metric must be a name or a callable, got 3"):
        check_metric(Model())
