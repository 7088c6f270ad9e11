import dataclasses

import numpy as np
import pytest
from synthetic_cases import CASES

from benchmarks import runner
from benchmarks.case import Contestant

CASE = CASES[0]


pytestmark = pytest.mark.usefixtures("hasty")


def run(case=CASE, repeats=2):
    said = []
    result = runner.run_size(case, case.sizes[0], repeats, "synthetic_cases", said.append)
    return {entry["name"]: entry for entry in result["contestants"]}, said


def test_each_contestant_has_the_status_it_earned():
    entries, _ = run()
    assert {name: entry["status"] for name, entry in entries.items()} == {
        "margin": "ok",
        "ladder": "ok",
        "hog": "ok",
        "off": "missed",
        "broken": "failed",
        "absent": "skipped",
        "too old": "skipped",
    }


def test_the_loosest_sufficient_setting_is_timed():
    entries, _ = run()
    assert entries["ladder"]["setting"] == {"tol": 1e-4}
    assert entries["ladder"]["certificate"] == pytest.approx(1e-4)


def test_whoever_misses_shows_what_it_reached_and_how_long_it_took():
    entries, _ = run()
    off = entries["off"]
    assert off["certificate"] == pytest.approx(1.0)
    assert "slope" in off["reason"]
    assert len(off["seconds"]) == 2
    assert off["best"] == min(off["seconds"])


def test_what_cannot_run_is_said_with_its_reason():
    entries, said = run()
    assert entries["broken"]["reason"] == "ArithmeticError: cannot divide"
    assert any("no_such_package" in line for line in said)
    assert "best" not in entries["absent"]


def test_memory_is_asked_only_for_what_ran():
    entries, _ = run()
    assert entries["margin"]["extra_mib"] == 1.25
    assert entries["broken"]["extra_mib"] is None


def test_a_worse_objective_misses_even_with_a_good_certificate():
    target = dataclasses.replace(CASE.target, tolerance=1e-12, limit=2.0)
    entries, _ = run(dataclasses.replace(CASE, target=target))
    assert entries["margin"]["status"] == "ok"
    assert entries["off"]["status"] == "missed"
    assert "objective" in entries["off"]["reason"]


def test_an_objective_that_is_no_number_misses_and_is_not_written():
    def lost(data, **_):
        return np.nan

    target = dataclasses.replace(CASE.target, certificate=None)
    contestants = (CASE.contestants[0], Contestant("lost", lost))
    entries, _ = run(dataclasses.replace(CASE, contestants=contestants, target=target))
    assert entries["lost"]["status"] == "missed"
    assert entries["lost"]["objective"] is None
    assert entries["margin"]["status"] == "ok"


def test_a_whole_command_runs_only_when_timed():
    calls = []

    def command(data):
        calls.append(1)
        return float(data.mean())

    contestants = (Contestant("margin", command, ours=True), CASE.contestant("broken"))
    case = dataclasses.replace(CASE, contestants=contestants, whole_command=True, max_rounds=2)
    entries, _ = run(case, repeats=7)
    assert len(calls) == 2
    assert entries["margin"]["status"] == "ok"
    assert entries["margin"]["objective"] is not None
    assert entries["margin"]["extra_mib"] is None
    assert entries["broken"]["status"] == "failed"
    assert "best" not in entries["broken"]
