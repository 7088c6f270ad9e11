import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

import margin.testing
from margin.linear import LinearRegression, LogisticRegression, Ridge
from margin.testing import (
    _suite,
    all_checks,
    all_estimators,
    checks_for,
    instances,
    parametrize_checks,
)


def names(checks):
    return [check.__name__ for check in checks]


def test_every_check_is_listed_once_and_documented():
    found = names(all_checks())
    assert len(found) == len(set(found)) > 25
    assert all(check.__doc__ for check in all_checks())


def test_conditions_name_checks_that_exist():
    assert set(_suite._CONDITIONS) <= set(names(all_checks()))


def test_checks_are_chosen_by_what_an_estimator_can_do():
    ridge, logistic = names(checks_for(Ridge())), names(checks_for(LogisticRegression()))
    scaler = names(checks_for(StandardScaler()))
    assert "check_column_target" in ridge
    assert "check_column_target" not in logistic
    assert "check_label_names" in logistic
    assert "check_label_names" not in ridge
    assert "check_cut_short" in logistic
    assert "check_cut_short" not in names(checks_for(LinearRegression()))
    assert "check_set_output" in scaler
    assert "check_set_output" not in ridge
    assert "check_seed" not in names(checks_for(LinearRegression()))
    assert "check_row_order" in ridge


def test_every_check_applies_to_some_estimator_or_says_when():
    applied = {name for estimator in instances() for name in names(checks_for(estimator))}
    assert set(names(all_checks())) - applied <= set(_suite._CONDITIONS)


def test_instances_are_one_of_each_table_estimator():
    found = {type(e).__name__ for e in instances()}
    assert found == {name for name, _ in all_estimators(input="table")}
    assert {"LinearRegression", "Ridge", "LogisticRegression"} <= found


def test_parametrize_makes_one_case_per_estimator_and_check():
    mark = parametrize_checks([Ridge(alpha=2.0)]).mark
    assert mark.args[0] == ("estimator", "check")
    cases = mark.args[1]
    assert [c.id for c in cases][:1] == ["Ridge(alpha=2.0)-check_constructor"]
    assert len(cases) == len(list(checks_for(Ridge())))
    assert len(parametrize_checks().mark.args[1]) >= 2 * len(cases)


@parametrize_checks([Ridge(alpha=0.5)])
def test_the_decorator_runs_the_checks(estimator, check):
    assert estimator.alpha == 0.5
    check("Ridge", estimator)


def test_a_faulty_estimator_fails_somewhere():
    class Noise(Ridge):
        def predict(self, X):
            return np.random.default_rng().normal(size=len(X))

    failures = []
    for check in checks_for(Noise()):
        try:
            check("Noise", Noise())
        except (AssertionError, AttributeError):
            failures.append(check.__name__)
    assert len(failures) > 5


def test_the_public_names_are_there():
    for name in margin.testing.__all__:
        assert hasattr(margin.testing, name)
    with pytest.raises(AttributeError):
        margin.testing.nothing  # noqa: B018
