import numpy as np
import pytest

from margin.linear import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from margin.linear.naive_bayes._naive_bayes import NaiveBayes, pseudo_counts, refuse_negative

MODELS = [GaussianNB, MultinomialNB, BernoulliNB, CategoricalNB]


@pytest.mark.parametrize("model", MODELS)
def test_one_contract(model):
    """linear.22, linear.25: counts of classes, priors, and batches after a fit that continue it."""
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]), np.array([0, 1, 1, 1])
    one = model().fit(X, y)
    assert isinstance(one, NaiveBayes)
    np.testing.assert_array_equal(one.class_count_, [1.0, 3.0])
    one.partial_fit(X, y)
    both = model().fit(np.vstack([X, X]), np.tile(y, 2))
    np.testing.assert_allclose(one.predict_proba(X), both.predict_proba(X), rtol=1e-9)
    before = one.predict_proba(X)
    with pytest.raises(ValueError, match="among the classes"):
        one.partial_fit(X, y + 5)
    np.testing.assert_array_equal(one.predict_proba(X), before)
    np.testing.assert_array_equal(one.class_count_, [2.0, 6.0])
    with pytest.raises(ValueError, match="above 0 in every class"):
        model().fit(X, y, [0.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("model", MODELS)
def test_the_same_answer_for_any_number_of_threads(model):
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(9000, 4)).astype(float), rng.integers(2, size=9000)
    one = model(n_jobs=1).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model(n_jobs=3).fit(X, y).predict_proba(X), one)


def test_pseudo_counts():
    assert pseudo_counts("Model", 2, 3) == 2.0
    with pytest.warns(UserWarning, match="^Model: alpha too small .* setting alpha = 1.0e-10"):
        assert pseudo_counts("Model", 0.0, 3, force=False) == 1e-10
    np.testing.assert_array_equal(pseudo_counts("Model", [1, 2, 3], 3), [1.0, 2.0, 3.0])


def test_refuse_negative():
    refuse_negative("Model", 0.0)
    with pytest.raises(ValueError, match=r"^Model: X must be at least 0 everywhere, got -2"):
        refuse_negative("Model", -2.0)


@pytest.mark.parametrize("model", MODELS)
def test_joint_by_scikit_learns_name(model):
    X, y = [[0, 1], [1, 0], [1, 1], [0, 2]], [0, 1, 1, 0]
    fitted = model().fit(X, y)
    np.testing.assert_array_equal(fitted.predict_joint_log_proba(X), fitted.log_joint(X))


@pytest.mark.parametrize("model", MODELS)
def test_one_class_is_always_predicted(model):
    X = [[0, 1], [1, 0], [1, 1]]
    for fitted in (model().fit(X, [7, 7, 7]), model().partial_fit(X, [7, 7, 7], classes=[7])):
        np.testing.assert_array_equal(fitted.predict(X), [7, 7, 7])
        np.testing.assert_array_equal(fitted.predict_proba(X), np.ones((3, 1)))


def test_negative_categories_are_refused_in_predictions_too():
    model = CategoricalNB().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match=r"passed to CategoricalNB \(input X\)"):
        model.predict([[-1]])
