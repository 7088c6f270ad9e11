"""``margin show`` and ``margin models``: what is inside a saved model, and what margin offers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from rich.markup import escape

from margin.cli import _model_file, _screen
from margin.cli._errors import CommandError
from margin.cli._plain import plain

MOST_COLUMNS = 40
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
    rows = _screen.table(
        ("Model", {"no_wrap": True}),
        ("Family", {"no_wrap": True}),
        ("Task", {"no_wrap": True, "style": "dim"}),
        ("What it is", {"overflow": "fold"}),
    )
    short = {"classification": "class.", "regression": "regr."}
    for entry in entries:
        tasks = ", ".join(short.get(t, t) for t in entry["tasks"])
        rows.add_row(entry["model"], entry["family"], tasks, escape(entry["description"]))
    _screen.console().print(rows)
    return 0


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
