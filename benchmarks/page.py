"""``docs/benchmarks.md``: the results file as a page for people."""

from typing import Any

from benchmarks.everywhere import page as everywhere
from benchmarks.load import BUSY
from benchmarks.verdict import Verdict, compare, growth, requirements

INTRODUCTION = """\
# Benchmarks

% Written by `python -m benchmarks` from benchmarks/results.json; edits here are lost.

margin and the libraries people use today, timed in one run on the same threads: the contestants
take turns, round after round, and the best time of each counts. Times count only for answers that
reach the target of the case, which is computed apart from every contestant in double precision;
each contestant runs with the loosest of its tolerances that gets there. Memory is the
rise of the resident high-water mark above the data during one fit, in a fresh process; two peaks
within 1 MiB are called equal. *Speed* is how many times as fast as the best peer margin is (above
1: faster); *memory* is margin's extra memory over that peer's (below 1: less); *growth* is the
exponent *b* in time ∝ (stored numbers)^*b* since the row above, for margin and for that peer. A
size marked *busy* was timed while other programs used more than a tenth of the machine, which
hurts threaded linear algebra most: read it with care.

Run `make bench` for your own figures.
"""

Rows = list[list[str]]


def render(results: dict[str, Any]) -> str:
    """The whole page."""
    parts = [INTRODUCTION, _required(results), _everywhere(results)]
    parts += [_case(name, case) for name, case in results["cases"].items()]
    parts.append(_runs(results))
    return "\n".join(part for part in parts if part)


def table(head: list[str], rows: Rows) -> str:
    """A Markdown table whose first column is text and whose other columns are what they are.

    Examples
    --------
    >>> print(table(["a", "b"], [["x|y", "1"]]))
    | a | b |
    | --- | --- |
    | x\\|y | 1 |
    """
    lines = [head, ["---"] * len(head), *([c.replace("|", "\\|") for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _required(results: dict[str, Any]) -> str:
    rows = [
        [
            name,
            _label(size),
            str(results["runs"][size["run"]]["threads"]),
            asked.asked,
            asked.attained,
            "yes" if asked.met else "**no**",
        ]
        for name, case in results["cases"].items()
        for size in case["sizes"]
        for asked in requirements(case, size)
    ]
    if "everywhere" in results:
        stored = results["everywhere"]
        threads = str(results["runs"][stored["run"]]["threads"])
        rows += [
            [
                everywhere.NAME,
                _label({**stored, "label": "all sizes"}),
                threads,
                asked.asked,
                asked.attained,
                "yes" if asked.met else "**no**",
            ]
            for asked in everywhere.requirements(stored)
        ]
    if not rows:
        return ""
    head = ["case", "size", "threads", "asked", "attained", "met"]
    return f"## What is asked\n\n{table(head, rows)}\n"


def _everywhere(results: dict[str, Any]) -> str:
    if "everywhere" not in results:
        return ""
    text, head, rows = everywhere.section(results["everywhere"])
    return f"## {everywhere.NAME}\n\n{text}\n\n{table(head, rows)}\n"


def _case(name: str, case: dict[str, Any]) -> str:
    target = f"Objective: {case['objective']}, within {case['tolerance']:g} of the best."
    if case["certificate"]:
        target += f" Target: {case['certificate']} at most {case['limit']:g}."
    return "\n\n".join(
        [
            f"## {name}",
            case["description"],
            target,
            _summary(case),
            "### Every contestant" + f" of {name}",
            _contestants(case),
            *_notes(case),
            "",
        ]
    )


def _summary(case: dict[str, Any]) -> str:
    head = ["size", "margin", "best peer", "speed", "memory", "difference in objective", "growth"]
    rows: Rows = []
    previous = None
    for size in case["sizes"]:
        found = compare(size)
        exponents = growth(previous, size) if previous else dict[str, float]()
        rows.append(_summary_row(_label(size), found, exponents))
        previous = size
    return table(head, rows)


def _summary_row(label: str, found: Verdict, exponents: dict[str, float]) -> list[str]:
    ours, peer = found.ours, found.peer
    own = "not measured" if ours is None else _seconds(ours["best"])
    if ours is not None and ours["status"] != "ok":
        own += " (misses the target)"
    pair = [exponents.get(entry["name"]) if entry else None for entry in (ours, peer)]
    return [
        label,
        own,
        "—" if peer is None else f"{_seconds(peer['best'])} ({peer['name']})",
        _number(found.speed, ".2f"),
        _number(found.memory, ".2f"),
        _number(found.difference, "+.1e"),
        " / ".join(_number(value, ".2f") for value in pair) if exponents else "—",
    ]


def _contestants(case: dict[str, Any]) -> str:
    certified = bool(case["certificate"])
    head = ["size", "contestant", "best", "median", "extra memory", "objective"]
    head += (["certificate"] if certified else []) + ["setting", "remark"]
    rows: Rows = []
    for size in case["sizes"]:
        ranked = sorted(size["contestants"], key=lambda c: c.get("best", float("inf")))
        for entry in ranked:
            extra = entry["extra_mib"]
            rows.append(
                [
                    size["label"],
                    entry["name"],
                    _seconds(entry.get("best")),
                    _seconds(entry.get("median")),
                    "—" if extra is None else f"{extra:.1f} MiB",
                    _number(entry["objective"], ".10g"),
                    *([_number(entry["certificate"], ".1e")] if certified else []),
                    _setting(entry["setting"]),
                    _remark(entry),
                ]
            )
    return table(head, rows)


def _setting(setting: dict[str, Any]) -> str:
    said = (f"{value:g}" if isinstance(value, float) else f"{value}" for value in setting.values())
    return ", ".join(f"{key}={value}" for key, value in zip(setting, said, strict=True)) or "—"


def _remark(entry: dict[str, Any]) -> str:
    if entry["status"] == "ok":
        return "—"
    word = {"missed": "misses the target", "failed": "failed", "skipped": "not run"}
    return f"{word[entry['status']]}: {entry['reason']}"


def _notes(case: dict[str, Any]) -> list[str]:
    notes = {
        entry["name"]: entry["note"]
        for size in case["sizes"]
        for entry in size["contestants"]
        if entry["note"]
    }
    return [f"*{name}*: {note}" for name, note in notes.items()]


def _runs(results: dict[str, Any]) -> str:
    head = ["run", "processor", "threads", "memory", "system", "rounds", "versions"]
    rows = [
        [
            date,
            f"{run['processor']}, {run['processors']} processors",
            str(run["threads"]),
            "—" if run["memory_gib"] is None else f"{run['memory_gib']} GiB",
            f"{run['system']}, Python {run['python']}",
            str(run["repeats"]),
            ", ".join(f"{name} {version}" for name, version in run["versions"].items() if version),
        ]
        for date, run in results["runs"].items()
    ]
    return f"## Where it was measured\n\n{table(head, rows)}\n" if rows else ""


def _label(size: dict[str, Any]) -> str:
    busy = (size["others_busy"] or 0.0) > BUSY
    return f"{size['label']} (busy)" if busy else str(size["label"])


def _seconds(value: float | None) -> str:
    if value is None:
        return "—"
    if value < 1.0:
        return f"{1000 * value:.3g} ms"
    return f"{value:.2f} s"


def _number(value: float | None, form: str) -> str:
    return "—" if value is None else format(value, form)
