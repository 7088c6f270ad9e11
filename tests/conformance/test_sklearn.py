"""scikit-learn's own checks over every estimator that takes a table.

The one exception is theirs too: the share ``nu`` of a NuSVC bounds the errors of all classes
together, so no price of one class buys every prediction, as the check of class weights wants.
"""

from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.testing import instances

EXEMPT = {"NuSVC": {"check_class_weight_classifiers": "nu bounds the errors of all classes"}}


@parametrize_with_checks(
    instances(), expected_failed_checks=lambda model: EXEMPT.get(type(model).__name__, {})
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
