"""Coefficients as a sparse matrix."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array, issparse
from sklearn.exceptions import NotFittedError

from margin.linear import LogisticRegression


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [np.asarray, coo_array])
def test_predictions_do_not_change(n_classes, kind):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 4)), rng.integers(n_classes, size=50)
    model = LogisticRegression(l1_ratio=1.0, C=0.2).fit(X, y)
    scores = model.decision_function(kind(X))
    assert issparse(model.sparsify().coef_)
    assert_allclose(model.decision_function(kind(X)), scores, atol=1e-12)
    assert not issparse(model.sparsify().densify().densify().coef_)
    assert_allclose(model.decision_function(kind(X)), scores, atol=1e-12)


def test_only_after_fit():
    with pytest.raises(NotFittedError):
        LogisticRegression().sparsify()
    with pytest.raises(NotFittedError):
        LogisticRegression().densify()
