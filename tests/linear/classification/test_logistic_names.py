"""Which solver takes which problem."""

import pytest

from margin.linear.classification._logistic_names import NAMES, SOLVERS, check_pairing


def test_every_name_takes_two_classes_and_squares():
    assert set(SOLVERS) < set(NAMES)
    for name in NAMES:
        check_pairing("LogisticRegression", name, 1.0, 0.0)


@pytest.mark.parametrize("name", ["lbfgs", "newton-cg", "newton-cholesky", "sag"])
def test_refusals_hold_the_words_of_scikit_learn(name):
    words = f"Solver {name} supports only 'l2' or None penalties, got l1 penalty"
    with pytest.raises(ValueError, match=words):
        check_pairing("LogisticRegression", name, 1.0, 1.0)
    with pytest.raises(ValueError, match=f"Solver {name} supports only dual=False, got dual=True"):
        check_pairing("LogisticRegression", name, 1.0, 0.0, dual=True)


def test_several_classes_are_too_many_for_liblinear():
    words = "The 'liblinear' solver does not support multiclass classification"
    with pytest.raises(ValueError, match=words):
        check_pairing("LogisticRegression", "liblinear", 1.0, 0.0, 3)
