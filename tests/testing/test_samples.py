import warnings

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from margin.linear import LogisticRegression, Ridge
from margin.testing._samples import LABELS, fitted, fitted_precisely, sample_for


class Binary(LogisticRegression):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Positive(Ridge):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def test_the_target_suits_the_estimator():
    assert sample_for(Ridge()).y.dtype == np.float64
    assert set(sample_for(LogisticRegression()).y) == set(LABELS)
    assert set(sample_for(Binary()).y) == set(LABELS[:2])
    assert sample_for(PCA()).y is None
    assert sample_for(Positive()).X.min() >= 0


@pytest.mark.parametrize("estimator", [Ridge(), LogisticRegression()])
@pytest.mark.parametrize(("n", "p"), [(60, 4), (12, 40), (1, 2)])
def test_the_size_is_as_asked_and_the_draw_repeats(estimator, n, p):
    one, two = sample_for(estimator, n, p), sample_for(estimator, n, p)
    assert one.X.shape == (n, p)
    assert len(one.y) == len(one.weight) == n
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y, two.y)
    assert one.weight.min() > 0


def test_classes_overlap_so_that_models_have_finite_answers():
    X, y, _ = sample_for(LogisticRegression())
    for label in LABELS:
        # Farkas: (X, 1) v >= 1 on one side and <= -1 on the other has no solution.
        sign = np.where(y == label, 1.0, -1.0)
        A = -sign[:, None] * np.column_stack([X, np.ones(len(X))])
        found = linprog(np.zeros(5), A, -np.ones(len(X)), bounds=(None, None))
        assert found.status == 2, f"{label} can be separated from the others"


def test_take_repeats_and_reorders():
    sample = sample_for(Ridge(), n=5)
    taken = sample.take([3, 3, 0])
    np.testing.assert_array_equal(taken.X, sample.X[[3, 3, 0]])
    np.testing.assert_array_equal(taken.y, sample.y[[3, 3, 0]])
    assert sample_for(PCA(), n=5).take([1]).y is None


def test_fitted_clones_changes_and_passes_weights():
    X, y, weight = sample_for(Ridge())
    original = Ridge()
    model = fitted(original, X, y, weight, alpha=3.0)
    assert model is not original
    assert not hasattr(original, "coef_")
    assert model.alpha == 3.0
    np.testing.assert_array_equal(model.coef_, Ridge(alpha=3.0).fit(X, y, weight).coef_)
    assert hasattr(fitted(PCA(2), X, None), "components_")


def test_fitted_precisely_tightens_the_tolerance_in_silence():
    X, y, _ = sample_for(LogisticRegression())
    model = fitted_precisely(LogisticRegression(), X, y)
    assert model.tol < 1e-9
    assert model.fit_report_.certificate.value < 1e-10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted_precisely(LogisticRegression(max_iter=1), X, y)
    with pytest.warns(ConvergenceWarning):
        fitted(LogisticRegression(max_iter=1), X, y)
