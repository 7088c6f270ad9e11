"""The score by which models are compared."""

import numpy as np
import pytest
from sklearn import metrics

from margin.evaluation import Metric, choose_metric

RNG = np.random.default_rng(0)


def test_scores_are_those_of_scikit_learn():
    y, p = RNG.integers(0, 3, (2, 50))
    assert Metric("accuracy")(y, p) == metrics.accuracy_score(y, p)
    assert Metric("balanced accuracy")(y, p) == metrics.balanced_accuracy_score(y, p)
    assert Metric("R²")(y, p + 0.5) == metrics.r2_score(y, p + 0.5)


def test_a_fold_without_a_class_is_scored_on_those_it_has():
    assert Metric("balanced accuracy")(np.array([0, 0, 1]), np.array([0, 2, 1])) == 0.75


@pytest.mark.parametrize(
    ("counts", "name"),
    [
        ([20, 80], "accuracy"),
        ([19, 81], "balanced accuracy"),
        ([10] * 10, "accuracy"),
        ([3] + [10] * 9, "balanced accuracy"),
    ],
)
def test_classes_of_unlike_size_are_balanced(counts, name):
    assert choose_metric("classification", np.repeat(np.arange(len(counts)), counts)).name == name


def test_numbers_are_scored_by_r2():
    assert choose_metric("regression", RNG.normal(size=9)).name == "R²"


class Sure:
    classes_ = np.array(["a", "c"])

    def predict(self, X):
        return np.full(len(X), "a")

    def predict_proba(self, X):
        return np.tile([0.25, 0.75], (len(X), 1))


class Margin:
    classes_ = np.array(["a", "b"])

    def predict(self, X):
        return np.full(len(X), "a")

    def decision_function(self, X):
        return np.asarray(X, dtype=float)


def test_answers_are_what_the_score_judges():
    abc = ("a", "b", "c")
    assert Metric("accuracy", abc).answers(Sure(), [0]).tolist() == ["a"]
    assert Metric("log loss", abc).answers(Sure(), [0]).tolist() == [[0.25, 0.0, 0.75]]
    ranked = Metric("ROC AUC", ("a", "b"))
    assert ranked(["a", "b", "b"], ranked.answers(Margin(), [-1.0, 0.0, 2.0])) == 1.0


def test_a_model_without_probabilities_cannot_be_judged_by_them():
    assert Metric("log loss").refuses(Margin()) == "has no probabilities, which log loss judges"
    assert Metric("ROC AUC").refuses(Margin()) == ""
    assert Metric("accuracy").refuses(Margin()) == ""
    with pytest.raises(ValueError, match="has no probabilities"):
        Metric("log loss", ("a", "b")).answers(Margin(), [0])


def test_losses_turn_their_sign_and_say_so():
    y, guess = RNG.normal(size=(2, 30))
    assert Metric("MAE")(y, guess) == -metrics.mean_absolute_error(y, guess)
    assert (Metric("MAE").title, Metric("MAE").perfect) == ("negative MAE", 0.0)
    assert (Metric("R²").title, Metric("R²").perfect) == ("R²", 1.0)


@pytest.mark.parametrize(
    ("asked", "name"), [("roc auc", "ROC AUC"), ("Balanced_Accuracy", "balanced accuracy")]
)
def test_a_score_asked_for_by_name(asked, name):
    metric = choose_metric("classification", np.repeat(["n", "p"], [9, 3]), asked)
    assert (metric.name, metric.positive, metric.classes) == (name, "p", ("n", "p"))


@pytest.mark.parametrize(
    ("task", "name", "costs", "words"),
    [
        ("classification", "R²", None, "must be one of accuracy, balanced"),
        ("regression", "accuracy", None, "must be one of R²"),
        ("classification", "cost", None, "cost must be given"),
        ("regression", None, ((0, 1), (1, 0)), "absent in a regression"),
        ("classification", "F1", ((0, 1), (1, 0)), "'cost' or absent"),
    ],
)
def test_scores_that_make_no_sense_are_refused(task, name, costs, words):
    with pytest.raises(ValueError, match=words):
        choose_metric(task, np.array([0, 1, 1]), name, costs=costs)


def test_r2_may_be_typed_without_its_square():
    assert choose_metric("regression", RNG.normal(size=5), "r2").name == "R²"
    assert choose_metric("regression", RNG.normal(size=5), "d2_absolute").name == "D² absolute"


def test_of_two_equal_classes_the_later_is_positive():
    assert choose_metric("classification", np.array([0, 1, 0, 1])).positive == 1


@pytest.mark.parametrize(
    ("task", "name", "words"),
    [
        ("classification", "auc", "did you mean 'ROC AUC'"),
        ("classification", "roc_auc_score", "did you mean 'ROC AUC'"),
        ("classification", "mcc", "did you mean 'Matthews correlation'"),
        ("classification", "acuracy", "did you mean 'accuracy'"),
        ("classification", "rmse", "RMSE belongs to a regression"),
        ("regression", "neg_mean_absolute_error", "did you mean 'MAE'"),
        ("regression", "auc", "ROC AUC belongs to a classification"),
    ],
)
def test_names_used_elsewhere_lead_to_ours(task, name, words):
    with pytest.raises(ValueError, match=f"metric must be one of .* got '{name}'; {words}[?]?$"):
        choose_metric(task, np.array([0, 1, 1]), name)


def test_a_name_like_no_other_gets_no_hint():
    with pytest.raises(ValueError, match=r"got 'zebra'$"):
        choose_metric("regression", np.array([0.0, 1.0]), "zebra")
