"""``margin predict``: apply a saved model to new rows."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from margin.cli import _model_file, _output, _read
from margin.cli._errors import CommandError, near, one_line, quoted
from margin.cli._model_file import ModelFile

if TYPE_CHECKING:
    import pandas as pd

# A threshold this close to one half is not worth a word.
_EVEN = 0.005


def run(model: Path, data: Path, out: Path | None, explain: bool = False) -> int:
    """Write the rows of ``data`` with predictions to ``out``, or to the standard output.

    What sets the rows apart from the training rows is counted and said on the error stream.
    """
    if out is not None:
        _output.check_file(out, "--out")
    saved = _model_file.load(model)
    frame = _read.file(data)
    table, notes = aligned(frame, saved, data.name)
    try:
        columns = predictions(saved, table)
        if explain:
            columns["because"] = because(saved, table)
    except ValueError as error:
        raise CommandError(f"{data.name}: {one_line(error)}") from error
    notes += promises(saved) + decided(saved, columns) + drifted(saved, table)
    for words in notes + _model_file.differences(saved):
        sys.stderr.write(f"margin: note: {words}\n")
    _deliver(_joined(frame, columns), out)
    return 0


def aligned(frame: pd.DataFrame, saved: ModelFile, name: str) -> tuple[pd.DataFrame, list[str]]:
    """The columns of the model, checked, and what a reader should know about the rest."""
    frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    given = set(frame.columns)
    missing = [column for column in saved.needed if column not in given]
    if missing:
        hint = near(missing[0], given - set(saved.needed))
        raise CommandError(f"{name} lacks the columns {quoted(missing)}{hint}")
    for column in saved.columns:
        if column["used"] and column["scale"] == "numeric":
            _check_numbers(frame[column["name"]], name)
    expected = [column["name"] for column in saved.columns]
    extra = [c for c in frame.columns if c not in {*expected, saved.target}]
    notes = [f"columns not known to the model are passed through: {quoted(extra)}"] if extra else []
    # columns that the model does not read need not be there
    return frame.reindex(columns=expected), notes


def _check_numbers(column: pd.Series, name: str) -> None:
    values = column.dropna()
    numbers = _read.pandas().to_numeric(values.astype(object), errors="coerce")
    odd = values[numbers.isna() | numbers.abs().eq(float("inf"))]
    if len(odd):
        row = column.index.get_loc(odd.index[0]) + 1
        raise CommandError(
            f"{name}: column {column.name!r} must hold finite numbers, "
            f"got {str(odd.iloc[0])!r} in row {row}"
        )


def predictions(saved: ModelFile, table: pd.DataFrame) -> dict[str, Any]:
    """Columns to add: the prediction, and calibrated probabilities or a 90 % interval."""
    from margin import evaluation

    pipeline = saved.pipeline
    columns: dict[str, Any] = {"prediction": pipeline.predict(table)}
    if saved.task == "classification":
        if hasattr(pipeline, "predict_proba"):
            shares = pipeline.predict_proba(table)
            if saved.calibration is not None:
                shares = saved.calibration(shares)
            for position, label in enumerate(pipeline.classes_):
                columns[f"probability_{label}"] = shares[:, position]
        return columns
    interval = evaluation.prediction_interval(pipeline, table, level=0.9)
    if interval is not None:
        columns["lower_90"], columns["upper_90"] = interval[:, 0], interval[:, 1]
    return columns


def promises(saved: ModelFile) -> list[str]:
    """What probabilities and intervals are worth, as measured."""
    if saved.calibration is not None and saved.calibration.method != "none":
        return [saved.calibration.text]
    return [saved.coverage] if saved.coverage else []


def decided(saved: ModelFile, columns: dict[str, Any]) -> list[str]:
    """How predictions follow from the probabilities beside them, where that is not by the largest.

    Of two classes the threshold, on the scale of the column; else how many rows differ.
    """
    import numpy as np

    from margin import evaluation

    names = [f"probability_{label}" for label in getattr(saved.pipeline, "classes_", ())]
    if not names or any(name not in columns for name in names):
        return []
    shares = np.column_stack([columns[name] for name in names])
    given = np.asarray(columns["prediction"])
    likeliest = np.asarray(saved.pipeline.classes_)[shares.argmax(axis=1)]
    decision = evaluation.decision_of(saved.pipeline, saved.calibration)
    if decision is not None and ((given == decision.label) == decision.answers(shares)).all():
        even = abs(decision.threshold - 0.5) < _EVEN
        if even and (given == likeliest).all():
            return []
        name, least = names[decision.place], f"{decision.threshold:.3g}"
        return [f"prediction is {decision.label} where {name} is at least {least}"]
    n = int((given != likeliest).sum())
    if not n:
        return []
    rows = "1 row" if n == 1 else f"{n} rows"
    return [
        f"in {rows} the prediction is not the class of the largest probability: answers are "
        f"decided for {saved.metric}, before calibration"
    ]


def drifted(saved: ModelFile, table: pd.DataFrame) -> list[str]:
    """What sets the rows apart from those the model learned from."""
    from margin import evaluation

    return evaluation.drift(table, saved.profile)


def because(saved: ModelFile, table: pd.DataFrame) -> list[str]:
    """For each row the three columns that move its answer most, against the other rows."""
    from margin import evaluation

    metric = evaluation.Metric("accuracy", tuple(saved.classes), _rarest(saved))
    return evaluation.row_reasons(
        saved.pipeline,
        table[saved.needed],
        metric,
        saved.target,
        classification=saved.task == "classification",
        seed=saved.seed,
    )


def _rarest(saved: ModelFile) -> Any:
    rule = getattr(saved.pipeline[-1], "rule_", None)
    place = 1 if rule is None else rule.positive
    return saved.classes[place] if len(saved.classes) == 2 else None


def _joined(frame: pd.DataFrame, columns: dict[str, Any]) -> pd.DataFrame:
    """Input and predictions side by side; a name that is taken gets a prefix."""
    taken = set(map(str, frame.columns))
    pandas = _read.pandas()
    named = {f"margin_{name}" if name in taken else name: v for name, v in columns.items()}
    return pandas.concat([frame, pandas.DataFrame(named, index=frame.index)], axis=1)


def _deliver(table: pd.DataFrame, out: Path | None) -> None:
    if out is None:
        table.to_csv(sys.stdout, index=False)
        return
    if out.suffix.lower() in {".parquet", ".pq"}:
        buffer = io.BytesIO()
        table.to_parquet(buffer, index=False)
        _output.write(out, buffer.getvalue())
    else:
        _output.write(out, table.to_csv(index=False).encode())
    sys.stdout.write(f"{out}: {len(table)} {'row' if len(table) == 1 else 'rows'}\n")
