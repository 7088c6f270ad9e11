import io
import re

import pytest
from rich.console import Console

from margin.cli import _screen
from margin.evaluation import ColumnInfo, ModelResult, all_estimators


def column(name, scale="numeric", reason="numbers", n_missing=0, used=True):
    return ColumnInfo(name, scale, reason, 5, n_missing, used)


def printed(thing):
    stream = io.StringIO()
    Console(file=stream, width=80).print(thing)
    return stream.getvalue()


def test_target_comes_first_and_markup_in_names_stays_text():
    found = [column("[red]a[/]"), column("b", "nominal", "3 [levels]"), column("y")]
    lines = printed(_screen.columns(found, "y")).splitlines()[2:]
    assert [line.split()[0] for line in lines] == ["y", "[red]a[/]", "b"]
    assert "target" in lines[0]
    assert "3 [levels]" in lines[2]


def test_long_runs_of_alike_columns_become_one_line():
    found = [column(f"x{i}") for i in range(30)] + [column("z", "date", "dates")]
    text = printed(_screen.columns(found, "none"))
    assert "x0 … x29" in text
    assert "30 columns: numbers" in text
    assert len(text.splitlines()) == 4


def test_short_runs_and_different_gaps_stay_apart():
    found = [column("a"), column("b"), column("c"), column("d", n_missing=2)]
    assert [len(group) for group in _screen.runs(found, "")] == [1, 1, 1, 1]


def test_very_many_kinds_of_columns_are_cut():
    found = [column(f"x{i}", reason=f"reason {i}") for i in range(100)]
    assert "… 70 more" in printed(_screen.columns(found, ""))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, "0.0 ms"), (0.00996, "10 ms"), (0.9996, "1.0 s"), (99.96, "1.7 m"), (float("nan"), "–")],
)
def test_seconds(value, expected):
    assert _screen.seconds(value) == expected


@pytest.mark.parametrize(
    "name", ["LinearDiscriminantAnalysis", "SVC", "depth-1 rule", "ABCDEFGHIJK"]
)
@pytest.mark.parametrize("width", [6, 12, 24, 80])
def test_folded_names_lose_nothing(name, width):
    lines = _screen.folded(name, width).split("\n")
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert len(lines) == 1 or width < len(name)
    assert all(len(line) <= max(width, 16) for line in lines)


def test_difference_and_score_of_odd_results():
    known = {
        "model": "m", "family": "f", "scores": (0.1,), "fit_seconds": 0.0,
        "predict_seconds": 0.0, "status": "ok",
    }  # fmt: skip
    nan = float("nan")
    single = ModelResult(score=0.25, score_se=nan, difference=0.5, **known)
    assert (_screen._score(single), _screen._behind(single)) == ("0.250", "0.500")
    failed = ModelResult(score=nan, score_se=nan, difference=nan, **known)
    assert (_screen._score(failed), _screen._behind(failed)) == ("–", "–")
    tied = ModelResult(score=0.25, score_se=nan, difference=-0.0001, **known)
    assert _screen._behind(tied) == "0.000"
    clear = ModelResult(
        score=-1.5, score_se=0.04, difference=2.0, p_value=0.0312, **{**known, "scores": (1, 2)}
    )
    assert (_screen._score(clear), _screen._behind(clear)) == ("-1.500 ±.040", "2.000 p=.03")


class Raced:
    """What a leaderboard reads of a comparison."""

    def __init__(self, results, metric):
        self.results, self.metric, self.winner = results, metric, results[0].model


@pytest.mark.parametrize("metric", ["R²", "balanced accuracy"])
@pytest.mark.parametrize("status", ["converged", "stopped: needs about 320 s per fold"])
def test_no_name_is_split_inside_a_word_at_80_columns(metric, status):
    results = [
        ModelResult(name, "f", -0.123, 0.045, (0.1, 0.2), 12.34, 0.25, status, 0.5, 0.1, 0.031)
        for name, _ in all_estimators()
    ]
    text = printed(_screen.leaderboard(Raced(results, metric)))
    lines = text.splitlines()
    assert all(len(line) <= 80 for line in lines)
    for name, _ in all_estimators():
        for word in re.findall(r"[A-Z][^A-Z]*", name):
            assert any(word in line for line in lines), name
