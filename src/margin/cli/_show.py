"""``margin show`` and ``margin models``: what is inside a saved model, and what margin offers."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from margin.cli import _model_file, _screen
from margin.cli._errors import CommandError
from margin.cli._plain import plain

MOST_COLUMNS = 40
# Lines longer than this are hard to read; names longer than this stand on a line of their own.
_WIDEST, _LONGEST_NAME = 110, 27
_LETTERS = {
    "classification": "C",
    "regression": "R",
    "clustering": "G",
    "density": "D",
    "transform": "T",
    "structure": "S",
}
# ids of the curriculum, which mean nothing to a reader of the list
_ID = re.compile(r"\s*\([^()]*\b[a-z]+\.\d\d\b[^()]*\)")


def show(path: Path) -> int:
    """Print what a saved model predicts, from which columns, and how it was fitted."""
    saved = _model_file.load(path)
    out = _screen.console()
    for words in _model_file.differences(saved):
        out.print(f"[yellow]{escape(words)}[/]")
    low, high = saved.test_interval
    facts = {
        "model": saved.winner,
        "predicts": f"{saved.target} ({saved.task})",
        "classes": ", ".join(map(str, saved.classes)),
        "trained on": saved.source,
        f"test {saved.metric}": f"{_screen.number(saved.test_score)}, 95 % interval "
        f"{_screen.number(low)} to {_screen.number(high)}",
        "baseline": _screen.number(saved.baseline_score),
        "threshold": _threshold(saved),
        "intervals": saved.coverage,
        "probabilities": "" if saved.calibration is None else saved.calibration.text,
        "seed": str(saved.seed),
        "made with": ", ".join(f"{k} {v}" for k, v in saved.versions.items() if k in _KEY_VERSIONS),
    }
    width = max(map(len, facts)) + 2
    for name, value in facts.items():
        if value:
            out.print(f"[dim]{escape(f'{name:<{width}}')}[/]{escape(value)}")
    out.print()
    out.print(_columns(saved))
    out.print()
    out.print(f"[bold]Steps[/]\n{escape(_steps(saved.pipeline))}\n")
    out.print(f"[bold]Fit[/]\n{escape(saved.fit_report or 'no fit report')}")
    return 0


def _threshold(saved: _model_file.ModelFile) -> str:
    """From which probability, as predictions show it, a class of two is answered."""
    from margin import evaluation

    if saved.task != "classification":
        return ""
    decision = evaluation.decision_of(saved.pipeline, saved.calibration)
    return "" if decision is None else decision.text


_KEY_VERSIONS = frozenset({"margin", "scikit-learn", "numpy", "python"})


def _columns(saved: _model_file.ModelFile) -> Any:
    rows = _screen.table(("Column", {"overflow": "fold"}), ("Scale", {}), ("", {"style": "dim"}))
    for column in saved.columns[:MOST_COLUMNS]:
        use = "" if column["used"] else "not used"
        rows.add_row(escape(column["name"]), column["scale"], use)
    if len(saved.columns) > MOST_COLUMNS:
        rows.add_row(f"… {len(saved.columns) - MOST_COLUMNS} more", "", "")
    return rows


def _steps(pipeline: Any) -> str:
    if not hasattr(pipeline, "steps"):
        return f"  {type(pipeline).__name__}"
    lines = []
    for name, step in pipeline.steps:
        chosen = str(step) if name == "model" else type(step).__name__
        lines.append(f"  {name}: {' '.join(chosen.split())}")
    return "\n".join(lines)


def models(task: str | None, as_json: bool) -> int:
    """Print every estimator of margin with family, tasks and a one-line description."""
    from margin import evaluation

    entries = [_entry(name, cls) for name, cls in evaluation.all_estimators(task=task)]
    if task is not None and not entries:
        known = sorted({t for n, c in evaluation.all_estimators() for t in _entry(n, c)["tasks"]})
        raise CommandError(f"no model for task {task!r}; tasks are {', '.join(known)}")
    if as_json:
        sys.stdout.write(json.dumps(entries, indent=2) + "\n")
        return 0
    out = _screen.console()
    out.print(escape(listed(entries, min(out.width, _WIDEST))), soft_wrap=True)
    return 0


def listed(entries: Sequence[Mapping[str, Any]], width: int) -> str:
    """Models by family: name, letters of the tasks, what it is; no word is broken.

    Examples
    --------
    >>> entry = {"model": "Ridge", "family": "linear", "tasks": ["regression"]}
    >>> print(listed([{**entry, "description": "Least squares, shrunk."}], 60))
    R regression
    <BLANKLINE>
    linear
      Ridge  R  Least squares, shrunk.
    """
    tasks = [task for task in _LETTERS if any(task in e["tasks"] for e in entries)]
    lines = textwrap.wrap(", ".join(f"{_LETTERS[t]}\N{NO-BREAK SPACE}{t}" for t in tasks), width)
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
    for family in sorted({e["family"] for e in entries}):
        lines += ["", family, *_family([e for e in entries if e["family"] == family], width)]
    return "\n".join(lines)


def _family(entries: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    names = min(max(len(e["model"]) for e in entries), _LONGEST_NAME)
    letters = max(len(e["tasks"]) for e in entries)
    room = " " * (names + letters + 6)
    lines = []
    for e in entries:
        told = "".join(_LETTERS.get(task, "") for task in e["tasks"])
        start = f"  {e['model']:<{names}}  {told:<{letters}}  "
        if len(start) > len(room):
            lines.append(start.rstrip())
            start = room
        said = textwrap.wrap(
            e["description"], width - len(room), break_long_words=False, break_on_hyphens=False
        )
        lines += [(room if i else start) + words for i, words in enumerate(said)]
    return lines


def _entry(name: str, cls: Any) -> dict[str, Any]:
    from margin.evaluation import family, summary

    return {
        "model": name,
        "family": family(cls),
        "tasks": list(cls.card.tasks),
        "input": cls.card.input,
        "cost": cls.card.cost,
        "description": plain(_ID.sub("", summary(cls))),
    }
