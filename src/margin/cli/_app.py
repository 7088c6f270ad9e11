"""The commands and their options; the work is done elsewhere and imported when it is needed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="margin",
    help="Which model suits this table, and how sure are we?",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Debug = Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")]


def _version(asked: bool) -> None:
    if asked:
        from margin import __version__

        typer.echo(f"margin {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Which model suits this table, and how sure are we?"""


@app.command()
def compare(
    context: typer.Context,
    data: Annotated[
        str | None, typer.Argument(help="CSV or Parquet file, or a built-in table.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="Column to predict.", show_default="last")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression.", show_default="inferred")
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(metavar="COL=SCALE", help="Scale of a column; may be repeated."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="Score: accuracy, F1, ROC AUC, MAE …", show_default="by the target"),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FP:FN",
            help="What a false positive and a false negative cost, the rarer class being positive;"
            " or TRUE>ANSWER=COST, which may be repeated.",
        ),
    ] = None,
    split: Annotated[
        str, typer.Option(help="random, time (later rows judge) or time:COLUMN.")
    ] = "random",
    group: Annotated[
        str | None, typer.Option(help="Column of groups that must not be torn apart.")
    ] = None,
    budget: Annotated[str, typer.Option(help="Time to spend: 60s, 2m, 1h30m.")] = "60s",
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Worker processes.", show_default="automatic")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    test_size: Annotated[float, typer.Option(help="Share of rows held out for the test.")] = 0.25,
    models: Annotated[
        str | None, typer.Option(help="Names of models, separated by commas.", show_default="all")
    ] = None,
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="MODULE:CLASS",
            help="A model of another installed library too; may be repeated.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Earlier model.skops, judged on the same test rows."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for report and model.")] = Path(
        "margin-report"
    ),
    json: Annotated[Path | None, typer.Option(help="Also write the leaderboard here.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    debug: Debug = False,
) -> int:
    """Compare all suitable models on a table; write report.html and model.skops.

    Without DATA a built-in table is used.
    """
    started = time.perf_counter()
    from margin.cli import _compare

    return _compare.run(
        _compare.Request(
            data=data,
            target=target,
            task=task,
            scales=tuple(scale or ()),
            metric=metric,
            cost=tuple(cost or ()),
            split=split,
            group=group,
            extra=tuple(with_ or ()),
            against=against,
            budget=budget,
            jobs=jobs,
            seed=seed,
            test_size=test_size,
            models=models,
            out=out,
            json=json,
            quiet=quiet,
            command=context.obj or (),
            started=started,
        )
    )


@app.command()
def predict(
    model: Annotated[Path, typer.Argument(help="model.skops of margin compare.")],
    data: Annotated[Path, typer.Argument(metavar="NEW", help="CSV or Parquet file.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say which columns move each answer most.")
    ] = False,
    debug: Debug = False,
) -> int:
    """Add predictions, with calibrated probabilities or 90 % intervals, to the rows of a table.

    Rows unlike those of the training are counted and told.
    """
    from margin.cli import _predict

    return _predict.run(model, data, out, explain)


@app.command()
def models(
    task: Annotated[str | None, typer.Option(help="Only models for this task.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    debug: Debug = False,
) -> int:
    """List every model with family, task and a one-line description."""
    from margin.cli import _show

    return _show.models(task, json)


@app.command()
def show(
    model: Annotated[Path, typer.Argument(help="model.skops of margin compare.")],
    debug: Debug = False,
) -> int:
    """Say what is inside a saved model: target, columns, score, fit report."""
    from margin.cli import _show

    return _show.show(model)


@app.command()
def versions(debug: Debug = False) -> int:
    """Print the versions and compiler features of this installation."""
    from margin.core import versions as installed

    installed.show()
    return 0
