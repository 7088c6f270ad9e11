import numpy as np
import pytest

from margin.core import stored_rows
from margin.linear import SGDClassifier
from margin.linear.online._binary_problems import BinaryProblems
from margin.linear.online._holdout import Part

X = np.array([[1.0], [2.0], [-1.0], [0.5]])
CODES = np.array([0, 1, 2, 1])
LABELS = np.array(["a", "b", "c"])


def problems(labels=LABELS, class_weight=None, **options):
    return BinaryProblems(SGDClassifier(**options)._settings(), labels, class_weight)


def test_one_problem_for_two_classes_and_one_per_class_for_more():
    assert problems().number == 3
    assert [problems().positive(k) for k in range(3)] == [0, 1, 2]
    two = problems(LABELS[:2])
    assert (two.number, two.positive(0)) == (1, 1)


@pytest.mark.parametrize(("loss", "low"), [("hinge", -1.0), ("log_loss", 0.0)])
def test_targets_are_coded_as_the_loss_asks(loss, low):
    rows = problems(loss=loss).rows(X, CODES, stored_rows(CODES, None), 1)
    assert rows.rows.y.tolist() == [low, 1.0, low, 1.0]


def test_starts():
    zeros = problems().starts(1, None, None)
    assert [s.tolist() for s in zeros] == [[0.0, 0.0]] * 3
    coef, intercept = np.array([[1.0], [2.0], [3.0]]), np.array([4.0, 5.0, 6.0])
    warm = problems().starts(1, coef, intercept)
    assert [s.tolist() for s in warm] == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    bare = problems(fit_intercept=False).starts(1, coef, intercept)
    assert [s.tolist() for s in bare] == [[1.0], [2.0], [3.0]]
    assert not problems().starts(2, coef, intercept)[0].any(), "coefficients of another table"


def test_watched_errors_are_weighted():
    kept = Part(X, CODES, np.array([1.0, 2.0, 3.0, 4.0]))
    errors = problems().monitor(kept, 1)
    assert errors(np.array([1.0, 0.0])) == pytest.approx(0.1), "only the first row is wrong"
    assert errors(np.array([0.0, -1.0])) == pytest.approx(0.6)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_the_perceptron_loss_is_watched_by_its_errors(class_weight):
    """The loss is lowest at zero, where every search begins."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=200) > 0.4, "yes", "no")
    model = SGDClassifier("perceptron", class_weight=class_weight).fit(X, y)
    assert model.coef_.any()
    assert model.score(X, y) > 0.85
