"""Answers of any probabilistic classifier (linear.22, linear.23, linear.24)."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import norm
from sklearn.base import is_classifier
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import LinearSVC

from margin import decision
from margin.linear import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
)
from margin.losses import CostMatrix
from margin.multiclass import OneVsRestClassifier
from margin.testing import instances

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
MODELS = [
    LogisticRegression(),
    LinearDiscriminantAnalysis(),
    GaussianNB(),
    SGDClassifier(loss="log_loss"),
    OneVsRestClassifier(),
    RandomForestClassifier(20, random_state=0),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)


@every_model
def test_confidence_is_the_gap_of_the_two_best(model):
    """linear.23: by sorting."""
    model.fit(X, NAMES)
    ordered = np.sort(model.predict_proba(X), axis=1)
    np.testing.assert_allclose(decision.confidence(model, X), ordered[:, -1] - ordered[:, -2])


def test_confidence_of_two_classes():
    """linear.23: |2p - 1|, and nothing where the odds are even."""
    model = LogisticRegression().fit(X[:100], NAMES[:100])
    p = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(decision.confidence(model, X), np.abs(2 * p - 1), atol=1e-12)


@every_model
@pytest.mark.parametrize("threshold", [0.0, 0.6, 0.95, 1.0])
def test_rejection_is_the_decision_of_least_risk(model, threshold):
    """linear.24: with errors of cost 1 and no answer of cost 1 - threshold."""
    model.fit(X, NAMES)
    answer = decision.predict_or_reject(model, X, threshold=threshold, reject="?")
    costs = np.column_stack([1 - np.eye(3), np.full(3, 1 - threshold)])
    risk = decision.expected_cost(model, X, costs)
    place = {**{name: k for k, name in enumerate(model.classes_)}, "?": 3}
    chosen = risk[np.arange(len(X)), [place[a] for a in answer]]
    np.testing.assert_allclose(chosen, risk.min(axis=1), atol=1e-12)
    sure = model.predict_proba(X).max(axis=1) >= threshold
    np.testing.assert_array_equal(answer != "?", sure)


@every_model
def test_decisions_are_the_cheapest_by_enumeration(model):
    """linear.24: every answer to every row, its cost summed over the classes."""
    model.fit(X, NAMES)
    costs = np.random.default_rng(0).uniform(0, 5, size=(3, 5))
    answers = ["a", "b", "c", "d", "e"]
    said = decision.decide(model, X, costs, answers=answers)
    for row, answer in zip(model.predict_proba(X), said, strict=True):
        totals = [sum(row[y] * costs[y][a] for y in range(3)) for a in range(5)]
        assert totals[answers.index(answer)] == pytest.approx(min(totals))


def test_equal_costs_are_the_prediction():
    """linear.24: the 0-1 loss decides for the most probable class."""
    model = LogisticRegression().fit(X, NAMES)
    ours = decision.decide(model, X, CostMatrix.symmetric(3))
    np.testing.assert_array_equal(ours, model.predict(X))


def test_unequal_costs_move_the_threshold():
    """linear.24: act where p (cost of missing) exceeds (1 - p) (cost of a false alarm)."""
    model = LogisticRegression().fit(X[50:], NAMES[50:])
    p = model.predict_proba(X)[:, 1]
    said = decision.decide(model, X, [[0, 1], [9, 0]])
    np.testing.assert_array_equal(said == "virginica", 9 * p > 1 - p)


def test_risk_of_two_gaussians():
    """linear.24: at equal covariances the least risk is Phi(-d/2), and rejection lowers it."""
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    rows = rng.normal(size=(20_000, 1)) + 2.0 * y[:, None]
    model = LinearDiscriminantAnalysis().fit(rows, y)
    error = np.mean(decision.decide(model, rows, [[0, 1], [1, 0]]) != y)
    assert error == pytest.approx(norm.cdf(-1), abs=0.01)
    answer = decision.predict_or_reject(model, rows, threshold=0.9)
    said = np.array([a is not None for a in answer])
    reach = np.log(9) / 2  # where the posterior of the nearer class is 0.9
    wanted = norm.cdf(-1 - reach) / (norm.cdf(-1 - reach) + norm.sf(reach - 1))
    assert np.mean(answer[said] != y[said]) == pytest.approx(wanted, abs=0.01)


def test_not_answering_by_default():
    """linear.24: one column of costs more than classes stands for "don't know"."""
    model = LogisticRegression().fit(X, NAMES)
    said = decision.decide(model, X, np.column_stack([1 - np.eye(3), np.full(3, 0.05)]))
    sure = model.predict_proba(X).max(axis=1) > 0.95
    np.testing.assert_array_equal([a is not None for a in said], sure)


def test_levels():
    """linear.22: what a classifier can say of a row."""
    assert decision.answer_level(GaussianNB()) == "generative"
    assert decision.answer_level(RandomForestClassifier()) == "posterior"
    assert decision.answer_level(SGDClassifier(loss="hinge")) == "decision"
    assert decision.answer_level(SGDClassifier(loss="log_loss")) == "posterior"
    with pytest.raises(ValueError, match="answer_level: model must be a classifier, got 3"):
        decision.answer_level(3)


CLASSIFIERS = [model for model in instances() if is_classifier(model)]


def assert_drawn_from_itself(model):
    """Given a drawn row, its drawn label has the posterior of the model: no residual is left.

    The residuals have mean zero times any function of the rows, here one and the posterior.
    """
    rows, labels = model.sample(4000, random_state=1)
    if rows.shape[1] < model.n_features_in_:  # positions on a line: rows that lie there
        base = model.transform(np.zeros((1, model.n_features_in_)))
        line = model.transform(np.eye(model.n_features_in_)) - base
        rows = (rows - base) @ line.T / (line.T @ line)
    posterior = model.predict_proba(rows)
    residual = (np.asarray(labels)[:, None] == model.classes_) - posterior
    variance = posterior * (1.0 - posterior)
    for times in (np.ones_like(posterior), posterior):
        spread = np.sqrt((variance * times**2).sum(axis=0)) + 1e-9
        assert (np.abs((residual * times).sum(axis=0)) < 5.0 * spread).all()


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_every_classifier_keeps_the_promises_of_its_level(model):
    """linear.22: the class named is the best by what the level adds, and levels follow in turn.

    Generative: log p(x, y) for every class, whose softmax is the posterior; rows and labels drawn
    from it. Posterior: probabilities that sum to one. Decision: scores, or a class alone.
    """
    rows = np.abs(X[50:]).round()
    model.fit(rows, NAMES[50:])
    said, level = model.predict(rows), decision.answer_level(model)
    assert set(said) <= set(model.classes_)
    if level == "generative":
        joint = model.log_joint(rows)
        np.testing.assert_array_equal(said, model.classes_[joint.argmax(axis=1)])
        np.testing.assert_allclose(model.predict_proba(rows), softmax(joint, axis=1), atol=1e-12)
        drawn, labels = model.sample(50, random_state=0)
        assert len(drawn) == len(labels) == 50
        assert set(labels) <= set(model.classes_)
        assert_drawn_from_itself(model)
    if level in ("generative", "posterior"):
        posterior = model.predict_proba(rows)
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
        assert posterior.min() >= 0.0
        top = np.sort(posterior, axis=1)
        clear = top[:, -1] - top[:, -2] > 1e-9
        best = model.classes_[posterior.argmax(axis=1)]
        np.testing.assert_array_equal(said[clear], best[clear])
    if level == "decision":
        assert not hasattr(model, "predict_proba")
        assert not hasattr(model, "sample")
        score = np.asarray(model.decision_function(rows))
        assert score.ndim == 1
        clear = np.abs(score) > 1e-9
        sign = model.classes_[(score > 0).astype(int)]
        np.testing.assert_array_equal(said[clear], sign[clear])


def test_generative_rule_is_that_of_bayes_by_brute_force():
    """linear.22: priors times densities of a naive model, summed and divided by hand."""
    model = GaussianNB(var_smoothing=0.0).fit(X, NAMES)
    posterior = np.empty((150, 3))
    for k, name in enumerate(model.classes_):
        part = X[name == NAMES]
        posterior[:, k] = np.prod(norm.pdf(X, part.mean(axis=0), part.std(axis=0)), axis=1) / 3
    joint = posterior.copy()
    posterior /= posterior.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), posterior, rtol=1e-6, atol=1e-12)
    gap = model.log_joint(X) - np.log(joint)
    np.testing.assert_allclose(gap, gap[:, :1] * np.ones(3), atol=1e-6)
    np.testing.assert_array_equal(model.predict(X), model.classes_[posterior.argmax(axis=1)])
    rows, labels = model.sample(60_000, random_state=0)
    for name in model.classes_:
        drawn = rows[labels == name]
        assert abs(len(drawn) / 60_000 - 1 / 3) < 0.01
        part = X[name == NAMES]
        np.testing.assert_allclose(drawn.mean(axis=0), part.mean(axis=0), atol=0.02)
        np.testing.assert_allclose(drawn.std(axis=0), part.std(axis=0), rtol=0.03)


PROBABILISTIC = [model for model in CLASSIFIERS if hasattr(model, "predict_proba")]


@pytest.mark.parametrize("model", PROBABILISTIC, ids=lambda m: type(m).__name__)
def test_every_probabilistic_classifier_can_decline_and_weigh(model):
    """linear.23, linear.24: whatever the family."""
    rows = np.abs(X[50:]).round()
    model.fit(rows, NAMES[50:])
    assert decision.answer_level(model) in ("posterior", "generative")
    gap = decision.confidence(model, rows)
    assert ((gap >= 0) & (gap <= 1)).all()
    said = decision.predict_or_reject(model, rows, threshold=0.7)
    best = model.predict_proba(rows).max(axis=1)
    np.testing.assert_array_equal([a is not None for a in said], best >= 0.7)
    assert set(decision.decide(model, rows, [[0, 0], [1, 1]])) <= set(model.classes_)


def test_refusals():
    model = LogisticRegression().fit(X, NAMES)
    machine = LinearSVC().fit(X, NAMES)
    for call in (decision.confidence, decision.predict_or_reject):
        with pytest.raises(ValueError, match=f"{call.__name__}: model must be a classifier with"):
            call(machine, X)
    with pytest.raises(ValueError, match="decide: costs must be one row for each of 3 classes"):
        decision.decide(model, X, [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="decide: answers must be given for 5 columns"):
        decision.decide(model, X, np.ones((3, 5)))
    with pytest.raises(ValueError, match="decide: answers must be of length 5, got 2"):
        decision.decide(model, X, np.ones((3, 5)), answers=["a", "b"])
    with pytest.raises(ValueError, match="CostMatrix: costs must be a matrix of finite numbers"):
        decision.decide(model, X, [[0, -1, 1]] * 3)
    with pytest.raises(ValueError, match="threshold must be a number between 0 and 1, got 2"):
        decision.predict_or_reject(model, X, threshold=2)
    assert decision.answer_level(Perceptron()) == "decision"
