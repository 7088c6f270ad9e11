import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer

from margin.linear import FisherDiscriminant, LinearDiscriminantAnalysis

FIRST = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
GOLDEN = np.vstack([FIRST, FIRST + 3.0])


def criterion(w, X, y):
    """J(w) from its definition."""
    parts = [X[y == k] @ w for k in np.unique(y)]
    gap = parts[0].mean() - parts[1].mean()
    return gap**2 / sum(((z - z.mean()) ** 2).sum() for z in parts)


def overlapping(n=200, p=4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    return (rng.standard_normal((n, p)) + 0.8 * y[:, None]) @ rng.standard_normal((p, p)), y


def test_worked_example():
    """linear.39: J = 27 and w = (-.7071, -.7071) for two triangles."""
    model = FisherDiscriminant().fit(GOLDEN, [0, 0, 0, 1, 1, 1])
    np.testing.assert_allclose(model.direction_, [-0.70710678, -0.70710678], atol=1e-8)
    assert model.criterion_ == pytest.approx(27.0)
    assert model.predict(GOLDEN).tolist() == [0, 0, 0, 1, 1, 1]


def test_no_direction_is_better():
    """linear.39: unit length, the largest criterion, the same for every scale of w."""
    X, y = overlapping()
    model = FisherDiscriminant().fit(X, y)
    best = criterion(model.direction_, X, y)
    assert np.linalg.norm(model.direction_) == pytest.approx(1.0)
    assert model.criterion_ == pytest.approx(best, rel=1e-9)
    rng = np.random.default_rng(1)
    for _ in range(300):
        w = model.direction_ + rng.choice([0.01, 1.0]) * rng.standard_normal(4)
        assert criterion(w, X, y) <= best + 1e-12
        assert criterion(3 * w, X, y) == pytest.approx(criterion(w, X, y))


def test_direction_is_that_of_the_linear_discriminant_and_moves_with_the_columns():
    X, y = overlapping()
    model, linear = FisherDiscriminant().fit(X, y), LinearDiscriminantAnalysis().fit(X, y)
    unit = linear.coef_[0] / np.linalg.norm(linear.coef_[0])
    np.testing.assert_allclose(np.abs(unit @ model.direction_), 1.0, rtol=1e-9)
    mix = np.random.default_rng(2).standard_normal((4, 4))
    moved = FisherDiscriminant().fit(X @ mix, y)
    assert moved.criterion_ == pytest.approx(model.criterion_, rel=1e-7)
    np.testing.assert_allclose(moved.predict_proba(X @ mix), model.predict_proba(X), atol=1e-7)


def test_bayes_decision_on_the_mixture_of_the_projections():
    """linear.41: project, one normal per class, posterior by Bayes' rule."""
    X, y = load_breast_cancer(return_X_y=True)
    model = FisherDiscriminant(priors=[0.6, 0.4]).fit(X, y)
    line = model.transform(X)[:, 0]
    parts = [line[y == k] for k in range(2)]
    joint = np.stack(
        [p * norm.pdf(line, z.mean(), z.std()) for p, z in zip([0.6, 0.4], parts, strict=True)], 1
    )
    np.testing.assert_allclose(
        model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-6
    )
    np.testing.assert_allclose(
        model.decision_function(X), np.log(joint[:, 1] / joint[:, 0]), rtol=1e-4
    )
    own = np.log(joint[np.arange(len(y)), y])
    assert model.fit_report_.objective == pytest.approx(-own.mean(), rel=1e-5)
    drawn, labels = model.sample(20_000, random_state=0)
    assert labels.mean() == pytest.approx(0.4, abs=0.01)
    assert drawn[labels == 1].mean() == pytest.approx(parts[1].mean(), rel=0.01)
    assert model.get_feature_names_out().tolist() == ["fisherdiscriminant0"]


def test_singular_scatter_is_repaired_and_said():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((10, 20))
    model = FisherDiscriminant().fit(X, np.arange(10) % 2)
    assert "rank 8 of 20" in str(model.fit_report_.repairs)
    assert (model.predict(X) == np.arange(10) % 2).all()
    sure = np.column_stack([np.arange(10) % 2, rng.standard_normal(10)]).astype(float)
    model = FisherDiscriminant().fit(sure, np.arange(10) % 2)
    assert abs(model.direction_[0]) == pytest.approx(1.0, abs=1e-3)
    same = FisherDiscriminant().fit(np.ones((4, 2)), [0, 0, 1, 1])
    assert "means of the classes are equal" in str(same.fit_report_.repairs)


def test_refuses_three_classes():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        FisherDiscriminant().fit(GOLDEN, [0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize("weight", [1e300, 1e-300])
def test_weights_of_any_size(weight):
    """linear.39: a common factor of the weights divides the criterion, and changes nothing else."""
    rng = np.random.default_rng(5)
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 4)) + y[:, None]
    plain = FisherDiscriminant().fit(X, y)
    heavy = FisherDiscriminant().fit(X, y, sample_weight=np.full(30, weight))
    np.testing.assert_allclose(heavy.direction_, plain.direction_, rtol=1e-9)
    np.testing.assert_allclose(heavy.predict_proba(X), plain.predict_proba(X), rtol=1e-9)
    np.testing.assert_allclose(heavy.criterion_ * weight, plain.criterion_, rtol=1e-9)
