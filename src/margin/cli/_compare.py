"""``margin compare``: read, compare, show, and write report, model and JSON."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from margin.cli import _model_file, _options, _output, _progress, _read, _screen
from margin.cli._errors import OK, ONLY_BASELINES, CommandError, StoppedError, one_line

REPORT, MODEL = "report.html", "model.skops"


@dataclass(frozen=True)
class Request:
    """The options of one call."""

    data: str | None = None
    target: str | None = None
    task: str | None = None
    scales: tuple[str, ...] = ()
    metric: str | None = None
    cost: tuple[str, ...] = ()
    split: str = "random"
    group: str | None = None
    extra: tuple[str, ...] = ()
    budget: str = "60s"
    jobs: int | None = None
    seed: int = 0
    test_size: float = 0.25
    models: str | None = None
    out: Path = Path("margin-report")
    json: Path | None = None
    quiet: bool = False
    command: tuple[str, ...] = field(default=())


def run(request: Request) -> int:
    """Do it; the output is checked to be writable before any work, and appears at the end."""
    options = _checked(request)
    if request.json is not None:
        _output.check_file(request.json, "--json")
    with _output.draft(request.out) as draft:
        table = _read.table(request.data)
        comparison = _compare(table, request, options)
        _write(comparison, draft.folder, request)
        content = as_json(comparison)
        draft.publish()
        if request.json is not None:
            _output.write(request.json, (json.dumps(content, indent=2) + "\n").encode())
    _finish(comparison, request)
    return ONLY_BASELINES if comparison.limits.only_baselines else OK


def _checked(request: Request) -> dict[str, Any]:
    """Options of the engine; whatever is wrong with them is said before anything is read."""
    if request.task not in (None, "classification", "regression"):
        raise CommandError(f"--task must be classification or regression, got {request.task!r}")
    if not 0 < request.test_size < 1:
        raise CommandError(f"--test-size must be between 0 and 1, got {request.test_size}")
    if request.jobs == 0:
        raise CommandError("--jobs must not be 0")
    if request.seed < 0:
        raise CommandError(f"--seed must be at least 0, got {request.seed}")
    return {
        "task": request.task,
        "scales": _options.scales(request.scales),
        "metric": request.metric,
        "cost": _options.costs(request.cost),
        "split": _options.split(request.split),
        "group": request.group,
        "extra": _options.foreign(request.extra),
        "budget": _options.seconds(request.budget),
        "jobs": request.jobs,
        "seed": request.seed,
        "test_size": request.test_size,
        "models": _options.names(request.models),
    }


def _compare(table: _read.Table, request: Request, options: dict[str, Any]) -> Any:
    from margin import evaluation

    out = _screen.console(quiet=request.quiet)
    errors = _screen.console(quiet=request.quiet, stderr=True)

    def show(problem: Any) -> None:
        out.print(
            f"[bold]{_plain(table.source)}[/]: {problem.n_rows} rows, {len(problem.columns)} "
            f"columns; {problem.task} of [bold]{_plain(problem.target)}[/]"
        )
        out.print(_screen.columns(problem.columns, problem.target))
        out.print()

    try:
        with _progress.LiveTable(errors, options["budget"], show) as progress:
            return evaluation.compare(
                table.frame,
                target=request.target or table.target,
                source=table.source,
                progress=progress,
                **options,
            )
    except ValueError as error:
        raise CommandError(one_line(error)) from error
    except KeyboardInterrupt:
        raise StoppedError("interrupted before any model was finished, nothing written") from None


def _plain(words: str) -> str:
    from rich.markup import escape

    return escape(words)


def _write(comparison: Any, folder: Path, request: Request) -> None:
    from margin import report

    used = versions()
    command = shlex.join(("margin", *request.command)) if request.command else "margin compare"
    report.write_html(comparison, folder / REPORT, command=command, versions=used)
    # A baseline that nobody raced against is no model to work with.
    if not comparison.limits.only_baselines:
        _model_file.save(folder / MODEL, _model_file.of(comparison, used))


def versions() -> dict[str, str]:
    """Versions that a result depends on."""
    from margin.core import versions as installed

    return {**installed.packages(), "python": installed.machine()["python"]}


def _finish(comparison: Any, request: Request) -> None:
    out = _screen.console(quiet=request.quiet)
    limits = [words[:1].upper() + words[1:] + "." for words in comparison.limits.text]
    if comparison.limits.only_baselines:
        out.print(f"[bold yellow]{_plain(limits.pop(0))}[/]")
    out.print(_screen.leaderboard(comparison, out.width))
    out.print()
    if comparison.interrupted:
        out.print("[yellow]Interrupted: this is what was finished.[/]")
    for words in limits:
        out.print(f"[yellow]{_plain(words)}[/]")
    out.print(_plain(comparison.verdict))
    if comparison.metric_words:
        out.print(f"[dim]{_plain(comparison.metric_words)}[/]")
    if comparison.curves is not None and comparison.metric != "accuracy":
        out.print(_plain(comparison.curves.text))
    for words in (*comparison.warnings, *_screen.not_run(comparison.skipped)):
        out.print(f"[dim]{_plain(words)}[/]")
    out.print()
    # soft_wrap keeps a path on one line, so that it can be copied
    out.print(f"report  {_plain(str(request.out / REPORT))}", soft_wrap=True)
    if comparison.limits.only_baselines:
        out.print("model   none: only baselines finished")
    else:
        out.print(f"model   {_plain(str(request.out / MODEL))}", soft_wrap=True)
    if request.json is not None:
        out.print(f"json    {_plain(str(request.json))}", soft_wrap=True)


def as_json(comparison: Any) -> Mapping[str, Any]:
    """The leaderboard as plain values; numbers that do not exist become ``None``."""
    return {
        "task": comparison.task,
        "target": comparison.target,
        "results": [_entry(result) for result in comparison.results],
        "winner": comparison.winner,
        "test_score": _number(comparison.test_score),
        "baseline_score": _number(comparison.baseline.score),
        "metric": comparison.metric,
        "metric_words": comparison.metric_words,
        "threshold": None if comparison.curves is None else comparison.curves.threshold,
        "forward_score": None if comparison.forward is None else _number(comparison.forward.score),
        "target_kinds": list(comparison.nature.kinds),
        "test_interval": [_number(v) for v in comparison.test_interval],
        "baseline": comparison.baseline.model,
        "verdict": comparison.verdict,
        "source": comparison.source,
        "rows": comparison.n_rows,
        "train_rows": comparison.n_train,
        "test_rows": comparison.n_test,
        "seed": comparison.seed,
        "folds": comparison.folds,
        "seconds": _number(comparison.seconds),
        "interrupted": comparison.interrupted,
        "out_of_budget": comparison.out_of_budget,
        "only_baselines": comparison.limits.only_baselines,
        "limits": list(comparison.limits.text),
        "warnings": list(comparison.warnings),
        "skipped": [{"model": name, "reason": why} for name, why in comparison.skipped],
    }


def _entry(result: Any) -> dict[str, Any]:
    return {
        "model": result.model,
        "score": _number(result.score),
        "score_se": _number(result.score_se),
        "fit_seconds": _number(result.fit_seconds),
        "status": result.status,
        "predict_seconds": _number(result.predict_seconds),
        "difference": _number(result.difference),
        "p_value": _number(result.p_value),
        "family": result.family,
        "folds": len(result.scores),
        "is_baseline": result.is_baseline,
        "params": {name: _value(value) for name, value in result.params.items()},
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _value(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return _number(value)
    return value if isinstance(value, str | int | bool | None) else str(value)
