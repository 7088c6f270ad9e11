from itertools import product

import numpy as np
import pytest
from sklearn import naive_bayes as peer
from sklearn.utils.estimator_checks import check_estimator

from margin.linear import CategoricalNB

# It feeds fractions, which are cut to whole numbers by scikit-learn and refused here.
FRACTIONS = {"check_sample_weight_equivalence_on_dense_data": "fractions are no categories"}


@pytest.fixture
def levels():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=90)
    X = (rng.integers(4, size=(90, 5)) + y[:, None]) % 5
    return X.astype(float), y


def test_scikit_learn_contract():
    results = check_estimator(
        CategoricalNB(), on_fail=None, on_skip=None, expected_failed_checks=FRACTIONS
    )
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.2, "fit_prior": False},
        {"class_prior": [0.2, 0.3, 0.5]},
        {"min_categories": 7},
        {"min_categories": [5, 6, 7, 8, 9]},
    ],
)
def test_agrees_with_scikit_learn(levels, options):
    """linear.44"""
    X, y = levels
    weight = np.random.default_rng(1).random(len(y))
    ours = CategoricalNB(**options).fit(X, y, weight)
    theirs = peer.CategoricalNB(**options).fit(X, y, weight)
    np.testing.assert_array_equal(ours.n_categories_, theirs.n_categories_)
    for name in ("category_count_", "feature_log_prob_"):
        for mine, other in zip(getattr(ours, name), getattr(theirs, name), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-10)
    np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_posterior_is_that_of_the_full_joint_table():
    """linear.44: brute force over p(y, x1, x2, x3), hidden columns summed out."""
    rng = np.random.default_rng(2)
    X, y = rng.integers(3, size=(40, 3)).astype(float), rng.integers(2, size=40)
    model = CategoricalNB(alpha=0.7).fit(X, y)
    tables = [np.exp(table) for table in model.feature_log_prob_]
    prior = np.exp(model.class_log_prior_)
    joint = np.zeros((2, 3, 3, 3))
    for k, *cell in product(range(2), range(3), range(3), range(3)):
        joint[(k, *cell)] = prior[k] * np.prod([tables[j][k, cell[j]] for j in range(3)])
    assert joint.sum() == pytest.approx(1.0)
    for row in ([0, 1, 2], [np.nan, 1, 2], [np.nan, np.nan, 0], [np.nan] * 3):
        seen = tuple(slice(None) if np.isnan(v) else int(v) for v in row)
        mass = joint[(slice(None), *seen)].reshape(2, -1).sum(axis=1)
        np.testing.assert_allclose(model.predict_proba([row])[0], mass / mass.sum(), rtol=1e-10)
    assert sum(table.size for table in tables) == 3 * 3 * 2  # m K |Y| instead of K^m |Y|


def test_batches_add_up_even_with_new_categories(levels):
    X, y = levels
    X = np.where(np.random.default_rng(3).random(X.shape) < 0.2, np.nan, X)
    whole, parts = CategoricalNB().fit(X, y), CategoricalNB()
    order = np.argsort(np.nanmax(X, axis=1), kind="stable")
    for rows in np.array_split(order, 4):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_array_equal(parts.n_categories_, whole.n_categories_)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-10)


def test_a_category_never_seen_is_unobserved(levels):
    model = CategoricalNB().fit(*levels)
    row = levels[0][:1].copy()
    row[0, 1] = 77.0
    hidden = row.copy()
    hidden[0, 1] = np.nan
    np.testing.assert_array_equal(model.predict_proba(row), model.predict_proba(hidden))


def test_objective_and_sampling(levels):
    X, y = levels
    model = CategoricalNB().fit(X, y)
    own = model.log_joint(X)[np.arange(len(y)), y]
    assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-10)
    drawn, labels = model.sample(20_000, random_state=0)
    again = CategoricalNB().fit(drawn, labels)
    for mine, other in zip(again.feature_log_prob_, model.feature_log_prob_, strict=True):
        np.testing.assert_allclose(np.exp(mine), np.exp(other), atol=0.02)


def test_refuses_what_is_no_category():
    with pytest.raises(
        ValueError, match=r"CategoricalNB: X must be whole numbers, or NaN, got 0.5"
    ):
        CategoricalNB().fit([[0.5], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="Negative values in data"):
        CategoricalNB().fit([[-1.0], [1.0]], [0, 1])
    for bad in (0, 1.5, [1, 2], "many"):
        with pytest.raises(ValueError, match="min_categories must be None, an integer"):
            CategoricalNB(min_categories=bad).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("largest", [2e13, 1e300])
def test_a_category_beyond_memory_is_refused(largest):
    X = np.array([[0.0, 1.0], [1.0, largest], [0.0, 0.0]])
    told = rf"^CategoricalNB: X must be of categories 0, 1, 2, …, got {largest:.15g}".replace(
        "+", r"\+"
    )
    with pytest.raises(MemoryError, match=told + ".* in column 1: .*OrdinalEncoder"):
        CategoricalNB().fit(X, [0, 1, 1])
    model = CategoricalNB().fit(X[:, :1], [0, 1, 1])
    with pytest.raises(MemoryError, match="in column 0"):
        model.partial_fit(X[:, 1:], [0, 1, 1])
    assert model.n_categories_.tolist() == [2]
