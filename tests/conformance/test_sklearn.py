"""scikit-learn's own checks over every estimator that takes a table, with no exceptions."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.testing import instances


@parametrize_with_checks(instances())
def test_scikit_learn_contract(estimator, check):
    check(estimator)
