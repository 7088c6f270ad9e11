"""``margin compare``: read, compare, show, and write report, model and JSON."""

from __future__ import annotations

import json
import shlex
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from margin.cli import _content, _model_file, _options, _output, _progress, _read, _screen
from margin.cli._errors import OK, ONLY_BASELINES, CommandError, StoppedError, one_line, quoted

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
    against: Path | None = None
    budget: str = "60s"
    jobs: int | None = None
    seed: int = 0
    test_size: float = 0.25
    models: str | None = None
    out: Path = Path("margin-report")
    json: Path | None = None
    quiet: bool = False
    command: tuple[str, ...] = ()
    # when the command began, as time.perf_counter says it: imports cost seconds too
    started: float = field(default_factory=time.perf_counter)


def run(request: Request) -> int:
    """Do it; the output is checked to be writable before any work, and appears at the end."""
    options = _checked(request)
    if request.json is not None:
        _output.check_file(request.json, "--json")
    with _output.draft(request.out) as draft:
        earlier = None if request.against is None else _model_file.load(request.against)
        table = _read.table(request.data)
        comparison = _compare(table, request, options, earlier)
        unsaved = _write(comparison, draft.folder, request)
        content = _content.as_json(comparison)
        draft.publish()
        if request.json is not None:
            _output.write(request.json, (json.dumps(content, indent=2) + "\n").encode())
    _finish(comparison, request, unsaved)
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


def _compare(
    table: _read.Table,
    request: Request,
    options: dict[str, Any],
    earlier: _model_file.ModelFile | None,
) -> Any:
    from margin import evaluation

    target = request.target or (earlier.target if earlier else None) or table.target
    if earlier is not None:
        _check_earlier(earlier, table, target, str(request.against))

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
        with _progress.LiveTable(
            errors, options["budget"], show, started=request.started
        ) as progress:
            comparison = evaluation.compare(
                table.frame,
                target=target,
                against=None if earlier is None else (earlier.winner, earlier.pipeline),
                source=table.source,
                progress=progress,
                **{**options, "budget": _left_of(options["budget"], request.started)},
            )
            limits = replace(comparison.limits, budget=options["budget"])
            return replace(comparison, limits=limits)
    except ValueError as error:
        raise CommandError(one_line(error)) from error
    except KeyboardInterrupt:
        raise StoppedError("interrupted before any model was finished, nothing written") from None


def _left_of(budget: float | None, started: float) -> float | None:
    """What imports, the table and an earlier model left of the budget, at least half of it."""
    if budget is None:
        return None
    return max(budget - (time.perf_counter() - started), budget / 2)


def _check_earlier(
    earlier: _model_file.ModelFile, table: _read.Table, target: str | None, name: str
) -> None:
    """Refuse an earlier model of another target, or of columns that this table lacks."""
    if target != earlier.target:
        raise CommandError(f"{name} predicts {earlier.target!r}, not {target!r}")
    given = set(map(str, table.frame.columns))
    missing = [column for column in earlier.needed if column not in given]
    if missing:
        raise CommandError(f"{table.source} lacks the columns {quoted(missing)} of {name}")


def _plain(words: str) -> str:
    from rich.markup import escape

    return escape(words)


def _write(comparison: Any, folder: Path, request: Request) -> str:
    """Write report and model; returns why there is no model, or nothing."""
    from margin import report

    used = versions()
    command = shlex.join(("margin", *request.command)) if request.command else "margin compare"
    report.write_html(comparison, folder / REPORT, command=command, versions=used)
    # A baseline that nobody raced against is no model to work with.
    if comparison.limits.only_baselines:
        return "only baselines finished"
    try:
        _model_file.save_if_loadable(folder / MODEL, _model_file.of(comparison, used))
    except CommandError as error:
        return one_line(error)
    return ""


def versions() -> dict[str, str]:
    """Versions that a result depends on."""
    from margin.core import versions as installed

    return {**installed.packages(), "python": installed.machine()["python"]}


def _finish(comparison: Any, request: Request, unsaved: str) -> None:
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
    for told in (comparison.coverage, comparison.calibration, comparison.against):
        if told is not None:
            out.print(_plain(f"{told.text[0].upper()}{told.text[1:]}."))
    for words in (*comparison.warnings, *_screen.not_run(comparison.skipped)):
        out.print(f"[dim]{_plain(words)}[/]")
    out.print()
    # soft_wrap keeps a path on one line, so that it can be copied
    out.print(f"report  {_plain(str(request.out / REPORT))}", soft_wrap=True)
    if unsaved:
        out.print(f"model   none: {_plain(unsaved)}")
    else:
        out.print(f"model   {_plain(str(request.out / MODEL))}", soft_wrap=True)
    if request.json is not None:
        out.print(f"json    {_plain(str(request.json))}", soft_wrap=True)
