import dataclasses
import json

import pytest
from synthetic_cases import CASES

from benchmarks import store

CASE = CASES[0]


def size(label, mark=0):
    return {"label": label, "mark": mark, "contestants": []}


def run(date):
    return {"date": date, "threads": 2}


@pytest.fixture
def results():
    return store.load(store.Path("no-such-file"))


def test_a_file_survives_the_round_trip(tmp_path, results):
    store.update(results, CASE, run("1"), [size("10")])
    path = tmp_path / "results.json"
    store.save(results, path)
    assert store.load(path) == results
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.json"]


def test_a_file_of_another_schema_is_left_alone(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": 0, "cases": {"old": {}}}))
    assert store.load(path)["cases"] == {}


def test_only_the_sizes_that_ran_are_replaced(results):
    store.update(results, CASE, run("1"), [size("1 000", 1), size("10", 1)])
    store.update(results, CASE, run("2"), [size("10", 2)])
    stored = results["cases"]["mean"]["sizes"]
    assert [(s["label"], s["mark"], s["run"]) for s in stored] == [
        ("10", 2, "2"),
        ("1 000", 1, "1"),
    ]
    assert list(results["runs"]) == ["1", "2"]


def test_other_cases_stay_and_unused_runs_go(results):
    other = dataclasses.replace(CASE, name="other")
    store.update(results, CASE, run("1"), [size("10")])
    store.update(results, other, run("2"), [size("10")])
    store.update(results, CASE, run("3"), [size("10")])
    assert set(results["cases"]) == {"mean", "other"}
    assert list(results["runs"]) == ["2", "3"]


def test_sizes_that_left_the_case_are_dropped(results):
    store.update(results, CASE, run("1"), [size("10")])
    smaller = dataclasses.replace(CASE, sizes=CASE.sizes[1:])
    store.update(results, smaller, run("2"), [size("1 000")])
    assert [s["label"] for s in results["cases"]["mean"]["sizes"]] == ["1 000"]


def test_cases_that_left_the_registry_are_dropped_and_the_rest_ordered(results):
    case = {name: dataclasses.replace(CASE, name=name) for name in ("b", "gone", "a", "never run")}
    for name in ("b", "gone", "a"):
        store.update(results, case[name], run(name), [size("10")])
    store.follow(results, [case[name] for name in ("a", "b", "never run")])
    assert list(results["cases"]) == ["a", "b"]
    assert list(results["runs"]) == ["a", "b"]


def test_what_was_measured_before_is_held_against_what_is_asked_today(results):
    old = {"name": "ladder", "binding": True, "best": 1.0}
    store.update(results, CASE, run("1"), [{"label": "10", "contestants": [old]}])
    now = dataclasses.replace(
        CASE,
        required_ratio=7.0,
        sizes=(dataclasses.replace(CASE.sizes[0], required=True, required_ratio=2.0),),
        contestants=(dataclasses.replace(CASE.contestant("ladder"), required_ratio=3.0),),
    )
    store.follow(results, [now])
    stored = results["cases"]["mean"]
    (small,) = stored["sizes"]
    assert (stored["required_ratio"], small["required"], small["required_ratio"]) == (
        7.0,
        True,
        2.0,
    )
    assert small["contestants"] == [old | {"required_ratio": 3.0}]
    assert small["run"] == "1"


def test_a_number_that_json_does_not_know_is_refused_before_the_old_file_is_touched(tmp_path):
    path = tmp_path / "results.json"
    path.write_text("{}")
    with pytest.raises(ValueError, match="JSON"):
        store.save({"schema": 1, "bad": float("nan")}, path)
    assert path.read_text() == "{}"
