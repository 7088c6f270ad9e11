import json

import pytest
import synthetic_cases

from benchmarks import __main__ as command

CASES = synthetic_cases.CASES


@pytest.fixture
def run(hasty, tmp_path):
    def call(*arguments):
        paths = tmp_path / "results.json", tmp_path / "page.md"
        status = command.run(CASES, command.parse(arguments), "synthetic_cases", *paths)
        return status, *paths

    return call


def test_a_run_writes_the_file_and_the_page(run, capsys):
    status, results, page = run("--repeats", "1")
    assert status == 0
    stored = json.loads(results.read_text(encoding="utf-8"))
    assert [size["label"] for size in stored["cases"]["mean"]["sizes"]] == ["10", "1 000"]
    assert "## mean" in page.read_text(encoding="utf-8")
    assert "margin:" in capsys.readouterr().out


def test_small_runs_the_first_size_and_keeps_the_others(run):
    run("--repeats", "1")
    _, results, _ = run("--repeats", "2", "--sizes", "small")
    small, large = json.loads(results.read_text(encoding="utf-8"))["cases"]["mean"]["sizes"]
    assert len(small["contestants"][0]["seconds"]) == 2
    assert len(large["contestants"][0]["seconds"]) == 1


def test_the_page_alone_is_written_from_what_was_measured(run, capsys):
    run("--repeats", "1")
    _, results, page = run("--page")
    before = results.read_text(encoding="utf-8"), page.read_text(encoding="utf-8")
    page.unlink()
    capsys.readouterr()
    assert run("--page")[0] == 0
    assert (results.read_text(encoding="utf-8"), page.read_text(encoding="utf-8")) == before
    assert capsys.readouterr().out == ""


def test_a_pattern_that_matches_nothing_is_an_error_that_writes_nothing(run, capsys):
    status, results, page = run("--only", "nothing*")
    assert status == 2
    assert "nothing*" in capsys.readouterr().err
    assert not results.exists()
    assert not page.exists()


def test_patterns_select_by_name():
    assert command.select(CASES, None) == list(CASES)
    assert command.select(CASES, ["me*", "x"]) == list(CASES)
    assert command.select(CASES, ["x"]) == []


def test_the_table_of_all_estimators_is_kept_beside_the_cases(hasty, tmp_path, capsys):
    cell = {"model": "A", "family": "linear", "work": "fit", "rows": 100, "column": 100}
    measured = {"others_busy": 0.0, "cells": [{**cell, "ours": 1.0, "theirs": 5.0}]}
    paths = tmp_path / "results.json", tmp_path / "page.md"

    def call(*arguments):
        return command.run(
            CASES, command.parse(arguments), "synthetic_cases", *paths, lambda say: measured
        )

    assert call("--only", "no-slower*") == 0
    assert call("--only", "mean", "--repeats", "1", "--sizes", "small") == 0
    stored = json.loads(paths[0].read_text(encoding="utf-8"))
    assert stored["everywhere"]["cells"] == measured["cells"]
    assert len(stored["runs"]) >= 1
    text = paths[1].read_text(encoding="utf-8")
    assert "## no-slower-anywhere" in text
    assert "| no-slower-anywhere | all sizes | 2 | no cell below 1 × | 5.00 ×" in text


@pytest.mark.parametrize("option", ["--repeats", "--threads"])
def test_counts_must_be_positive(option, capsys):
    with pytest.raises(SystemExit):
        command.parse([option, "0"])
    assert f"{option} must be at least 1, got 0" in capsys.readouterr().err
