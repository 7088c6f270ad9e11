"""Our own checks over every estimator that takes a table."""

from margin.testing import parametrize_checks


@parametrize_checks()
def test_margin_contract(estimator, check):
    check(type(estimator).__name__, estimator)
