import sys
import types

import numpy as np
import pytest

from benchmarks.case import Case
from benchmarks.cases import CASES, collect, compare, least_squares, logistic

by_name = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@by_name
def test_a_case_is_well_formed(case: Case):
    assert sum(contestant.ours for contestant in case.contestants) == 1
    assert len({contestant.name for contestant in case.contestants}) == len(case.contestants)
    assert len({size.label for size in case.sizes}) == len(case.sizes)
    elements = [size.elements for size in case.sizes]
    assert elements == sorted(elements)
    assert all(contestant.settings for contestant in case.contestants)


@by_name
def test_a_requirement_has_a_size_to_hold_at(case: Case):
    peers = [contestant.required_ratio for contestant in case.contestants]
    asked = (case.required_ratio, case.required_memory, case.required_seconds, *peers)
    assert any(size.required for size in case.sizes) == any(value is not None for value in asked)


def test_the_speeds_asked_for_are_in_the_registry():
    asked = {(case.name, size.label) for case in CASES for size in case.sizes if size.required}
    assert asked >= {
        ("compare-built-in", "built-in data"),
        ("logistic-dense", "20 000 × 50"),
        ("logistic-dense", "200 000 × 50"),
        ("logistic-sparse", "10 000 × 20 000"),
        ("logistic-sparse", "100 000 × 50 000"),
        ("sgd-epoch", "1 000 000 × 50"),
        ("smoothing-spline", "100 000"),
        ("ridge-tall", "200 000 × 50"),
        ("ridge-wide", "500 × 5 000"),
        ("least-squares-tall", "200 000 × 50"),
        ("least-squares-wide", "500 × 5 000"),
        ("naive-bayes-gaussian", "1 000 000 × 50"),
        ("naive-bayes-multinomial", "1 000 000 × 50"),
        ("discriminant-linear", "1 000 000 × 50"),
        ("discriminant-quadratic", "1 000 000 × 50"),
    }


def test_a_ratio_of_its_own_belongs_to_a_size_or_a_peer_that_counts():
    for case in CASES:
        for size in case.sizes:
            assert size.required or size.required_ratio is None
        for contestant in case.contestants:
            assert contestant.required_ratio is None or (contestant.binding and not contestant.ours)


def test_peers_are_asked_their_own_ratios():
    asked = {
        (case.name, contestant.name): contestant.required_ratio
        for case in CASES
        for contestant in case.contestants
        if contestant.required_ratio is not None
    }
    assert (
        asked.items()
        >= {
            ("svc", "scikit-learn"): 4.0,
            ("svc-predict", "scikit-learn"): 20.0,
            ("svr", "scikit-learn"): 3.0,
            ("gp-exact", "scikit-learn"): 5.0,
            ("hill-climbing", "pgmpy"): 50.0,
        }.items()
    )


def test_two_cases_of_one_name_are_refused(monkeypatch, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").touch()
        module = types.ModuleType(f"doubled.{name}")
        module.CASES = CASES[:1]
        monkeypatch.setitem(sys.modules, f"doubled.{name}", module)
    monkeypatch.setitem(sys.modules, "doubled", types.ModuleType("doubled"))
    with pytest.raises(ValueError, match="two cases are called"):
        collect("doubled", [str(tmp_path)])


SKLEARN = [
    (case, contestant)
    for case in logistic.CASES + least_squares.CASES
    for contestant in case.contestants
    if contestant.name.startswith("scikit-learn") and "intelex" not in contestant.name
]


@pytest.mark.parametrize(
    ("case", "contestant"), SKLEARN, ids=[f"{case.name}-{c.name}" for case, c in SKLEARN]
)
def test_each_scikit_learn_contestant_reaches_its_target_on_tiny_data(case, contestant):
    shape = {"n": 12, "p": 40} if case.name.endswith("wide") else case.warm_up
    table = case.make_data(**shape)
    X, y = table.X.copy(), table.y.copy()
    fitted = contestant.fit(table, **contestant.settings[-1])
    assert case.target.certificate(table, fitted) <= case.target.limit
    assert np.isfinite(case.target.objective(table, fitted))
    assert abs(X - table.X).max() == 0
    np.testing.assert_array_equal(table.y, y)


def test_intelex_is_called_directly_and_leaves_scikit_learn_as_it_is():
    named = {c.name: c.requires for case in CASES for c in case.contestants}
    intelex = [required for name, required in named.items() if "intelex" in name]
    assert intelex
    assert all(name.startswith("sklearnex.") for names in intelex for name in names)
    import sklearn.linear_model

    assert sklearn.linear_model.Ridge.__module__.startswith("sklearn.")


def test_a_command_that_fails_is_an_error_and_not_a_fast_run():
    with pytest.raises(RuntimeError, match="exit status"):
        compare.run_compare(("no-such-file.csv",))
