"""Forward stage-wise additive modelling (tree.14) and its line search (tree.15)."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from margin.ensemble import forward_stagewise
from margin.losses import Absolute, Exponential, Huber, Logistic, Softmax, Squared, Tukey, ZeroOne


def two_classes():
    X, y = make_classification(200, 5, flip_y=0.1, random_state=0)
    return X, 2 * y - 1


def test_exponential_loss_is_adaboost_by_hand():
    """tree.14: the same stumps and coefficients 1/2 log((1 - err) / err)."""
    X, y = two_classes()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = forward_stagewise(X, y, loss=Exponential(), base=stump, n_stages=10, start=0.0)
    weight = np.full(len(y), 1 / len(y))
    for beta, fitted in zip(model.coefficients, model.models, strict=True):
        answer = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weight).predict(X)
        np.testing.assert_array_equal(fitted.predict(X), answer)
        error = weight[answer != y].sum()
        assert beta == pytest.approx(0.5 * np.log((1 - error) / error), rel=1e-9)
        weight = weight * np.exp(-beta * y * answer)
        weight /= weight.sum()


def test_exponential_loss_is_adaboost_of_scikit_learn():
    X, y = two_classes()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    ours = forward_stagewise(X, y, loss=Exponential(), base=stump, n_stages=10, start=0.0)
    theirs = AdaBoostClassifier(stump, n_estimators=10, random_state=0).fit(X, y)
    np.testing.assert_allclose(2 * ours.coefficients, theirs.estimator_weights_, rtol=1e-9)
    np.testing.assert_array_equal(np.sign(ours.decision_function(X)), theirs.predict(X))


def test_squared_loss_fits_residuals():
    """One linear model is the whole answer: the second has nothing to add."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    y = X @ [1.0, 2.0, 3.0] + rng.standard_normal(60)
    model = forward_stagewise(X, y, loss=Squared(), base=LinearRegression(), n_stages=2)
    assert model.coefficients[0] == pytest.approx(1.0)
    np.testing.assert_allclose(
        model.decision_function(X), LinearRegression().fit(X, y).predict(X), atol=1e-8
    )


@pytest.mark.parametrize("loss", [Squared(), Absolute(), Huber(0.5), Logistic(), Exponential()])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_loss_never_rises(loss, weighted):
    X, y = two_classes()
    weight = np.random.default_rng(0).random(200) if weighted else None
    model = forward_stagewise(
        X,
        y,
        loss=loss,
        base=DecisionTreeRegressor(max_depth=2, random_state=0),
        n_stages=15,
        learning_rate=0.5,
        sample_weight=weight,
    )
    trace = model.solution.trace["objective"]
    assert (np.diff(trace) <= 1e-12).all()
    assert trace[-1] < 0.9 * trace[0]
    w = np.ones(200) if weight is None else weight
    total = w @ loss.value(model.decision_function(X), loss.targets(y)) / w.sum()
    assert trace[-1] == pytest.approx(total)


def test_refusals():
    X, y = two_classes()
    stump = DecisionTreeClassifier(max_depth=1)
    with pytest.raises(ValueError, match="n_stages must be an integer of at least 1, got 0"):
        forward_stagewise(X, y, loss=Squared(), base=stump, n_stages=0)
    with pytest.raises(ValueError, match="learning_rate must be"):
        forward_stagewise(X, y, loss=Squared(), base=stump, learning_rate=0.0)
    with pytest.raises(ValueError, match="loss must be a loss that has slopes"):
        forward_stagewise(X, y, loss=ZeroOne(), base=stump)


def test_targets_are_checked():
    X, y = two_classes()
    tree = DecisionTreeRegressor(max_depth=2)
    for bad in (np.inf, np.nan):
        wrong = y.astype(float)
        wrong[3] = bad
        with pytest.raises(ValueError, match="y contains"):
            forward_stagewise(X, wrong, loss=Squared(), base=tree)
    with pytest.raises(ValueError, match="y must be 200 targets"):
        forward_stagewise(X, y[:10], loss=Squared(), base=tree)


@pytest.mark.parametrize("scale", [1e-12, 1e15])
def test_steps_at_any_scale(scale):
    X, _ = two_classes()
    y = scale * X[:, 0]
    tree = DecisionTreeRegressor(max_depth=2, random_state=0)
    model = forward_stagewise(X, y, loss=Absolute(), base=tree, n_stages=60)
    assert np.abs(model.decision_function(X) - y).mean() < 0.15 * np.abs(y).mean()


def test_a_loss_that_is_not_convex():
    """Tukey's loss forgets outliers that least squares follows."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(300, 1))
    truth = np.sign(X[:, 0])
    y = truth + 0.1 * rng.normal(size=300)
    y[:60] = 30.0
    tree = DecisionTreeRegressor(max_depth=1, random_state=0)
    robust = forward_stagewise(X, y, loss=Tukey(2.0), base=tree, n_stages=40)
    assert (np.diff(robust.solution.trace["objective"]) <= 1e-12).all()
    assert np.quantile(np.abs(robust.decision_function(X) - truth), 0.95) < 0.2
    plain = forward_stagewise(X, y, loss=Squared(), base=tree, n_stages=40)
    assert np.median(np.abs(plain.decision_function(X) - truth)) > 3.0


def test_several_scores():
    """The softmax of three classes, with a slope and an answer of the base for each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    tree = DecisionTreeRegressor(max_depth=2, random_state=0)
    model = forward_stagewise(X, y, loss=Softmax(), base=tree, n_stages=20)
    scores = model.decision_function(X)
    assert scores.shape == (300, 3)
    assert (scores.argmax(axis=1) == y).mean() > 0.97
    assert (np.diff(model.solution.trace["objective"]) <= 1e-12).all()
    share = np.bincount(y) / 300
    np.testing.assert_allclose(softmax(np.asarray(model.start)), share)
    stump = DecisionTreeClassifier(max_depth=1)
    with pytest.raises(ValueError, match="base must be a regressor where the loss has several"):
        forward_stagewise(X, y, loss=Softmax(), base=stump)
    with pytest.raises(ValueError, match="y must be classes 0, 1"):
        forward_stagewise(X, y - 1, loss=Softmax(), base=tree)


def test_sparse_rows():
    X, y = two_classes()
    X = np.where(X > 0.5, X, 0.0)
    tree = DecisionTreeRegressor(max_depth=2, random_state=0)
    dense = forward_stagewise(X, y, loss=Logistic(), base=tree, n_stages=5)
    sparse = forward_stagewise(csr_array(X), y, loss=Logistic(), base=tree, n_stages=5)
    np.testing.assert_allclose(sparse.coefficients, dense.coefficients)
    np.testing.assert_allclose(sparse.decision_function(csr_array(X)), dense.decision_function(X))
