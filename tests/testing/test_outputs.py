import numpy as np
import pytest
from sklearn.decomposition import PCA

from margin.linear import Lasso, LogisticRegression, Ridge
from margin.testing._outputs import assert_finite, assert_same, numbers, outputs
from margin.testing._samples import sample_for


@pytest.fixture
def classifier():
    X, y, _ = sample_for(LogisticRegression())
    return LogisticRegression().fit(X, y), X


def test_outputs_holds_every_answer(classifier):
    model, X = classifier
    assert set(outputs(model, X)) == {"predict", "predict_proba", "decision_function"}
    assert set(outputs(PCA(2).fit(X), X)) == {"transform", "score_samples"}


def test_numbers_leaves_labels_out(classifier):
    assert set(numbers(outputs(*classifier))) == {"predict_proba", "decision_function"}


def test_a_predictive_distribution_is_represented_by_two_moments():
    class Distribution:
        mean, var = np.zeros(2), np.ones(2)

    class Model:
        def predict_dist(self, X):
            return Distribution()

    assert set(outputs(Model(), None)) == {"predict_dist.mean", "predict_dist.var"}


def test_a_model_that_answers_nothing_is_named():
    class Mute:
        pass

    with pytest.raises(AssertionError, match="Mute has none"):
        outputs(Mute(), None)


def test_same_to_the_last_bit_and_to_a_tolerance():
    X, y, _ = sample_for(Ridge())
    one, two = Ridge().fit(X, y), Ridge().fit(X, y)
    assert_same(one, two, X, "copy")
    two.coef_ = two.coef_ * (1 + 1e-9)
    with pytest.raises(AssertionError, match="copy: predict differs"):
        assert_same(one, two, X, "copy")
    assert_same(one, two, X, "copy", rtol=1e-7)
    with pytest.raises(AssertionError):
        assert_same(one, two, X, "copy", rtol=1e-12)


def test_labels_must_agree_exactly_even_with_a_tolerance(classifier):
    model, X = classifier
    other = LogisticRegression().fit(X, np.roll(model.predict(X), 1))
    with pytest.raises(AssertionError, match="predict differs"):
        assert_same(model, other, X, "other", rtol=1.0)


def test_not_finite_is_found():
    X, y, _ = sample_for(Lasso())
    model = Lasso().fit(X, y)
    assert_finite(model, X, "model")
    model.intercept_ = np.inf
    with pytest.raises(AssertionError, match="model: predict is not finite"):
        assert_finite(model, X, "model")
