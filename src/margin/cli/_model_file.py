"""A saved model: the winner's pipeline with all that is needed to use and to explain it."""

from __future__ import annotations

import io
import warnings
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from margin.cli import _trust
from margin.cli._errors import CommandError, one_line, quoted

FORMAT, EDITION = "margin model", 1
MOST_BYTES = 2**31
MOST_SCHEMA_BYTES = 2**27
MOST_MEMBERS = 200_000


@dataclass(frozen=True)
class ModelFile:
    """What ``margin compare`` saves.

    ``columns`` holds one mapping per column of the table with ``name``, ``scale`` and ``used``.
    ``calibration`` maps the probabilities of the pipeline to calibrated ones, ``coverage`` says how
    often intervals held, and ``profile`` describes the training rows.
    """

    pipeline: Any
    winner: str
    task: str
    target: str
    metric: str
    classes: list[Any]
    columns: list[dict[str, Any]]
    test_score: float
    test_interval: list[float]
    baseline_score: float
    fit_report: str
    source: str
    seed: int
    versions: dict[str, str] = field(default_factory=dict)
    calibration: Any = None
    threshold: float | None = None
    coverage: str = ""
    profile: list[dict[str, Any]] = field(default_factory=list)

    @property
    def needed(self) -> list[str]:
        """Names of the columns that the model reads."""
        return [column["name"] for column in self.columns if column["used"]]


def of(comparison: Any, versions: dict[str, str]) -> ModelFile:
    """The model file of a comparison."""
    return ModelFile(
        pipeline=comparison.model,
        winner=comparison.winner,
        task=comparison.task,
        target=comparison.target,
        metric=comparison.metric,
        classes=[getattr(c, "item", lambda c=c: c)() for c in comparison.classes],
        columns=[
            {"name": c.name, "scale": c.scale, "used": bool(c.used)}
            for c in comparison.columns
            if c.name != comparison.target
        ],
        test_score=float(comparison.test_score),
        test_interval=[float(v) for v in comparison.test_interval],
        baseline_score=float(comparison.baseline.score),
        fit_report=comparison.fit_report,
        source=comparison.source,
        seed=int(comparison.seed),
        versions=dict(versions),
        calibration=comparison.calibration,
        threshold=None if comparison.curves is None else comparison.curves.threshold,
        coverage="" if comparison.coverage is None else comparison.coverage.text,
        profile=[dict(facts) for facts in comparison.profile],
    )


def differences(saved: ModelFile) -> list[str]:
    """Libraries that decide what a model answers and have another version now."""
    from margin.core import versions

    now = versions.packages()
    return [
        f"{name} {saved.versions[name]} when saved, {now[name]} now"
        for name in ("margin", "scikit-learn")
        if name in saved.versions and saved.versions[name] != now.get(name)
    ]


def save(path: Path, model: ModelFile) -> None:
    """Write a model file with skops."""
    content = {f.name: getattr(model, f.name) for f in model.__dataclass_fields__.values()}
    _skops().dump(
        {"format": FORMAT, "edition": EDITION, **content},
        path,
        compression=zipfile.ZIP_DEFLATED,
    )


def save_if_loadable(path: Path, model: ModelFile) -> None:
    """Write a model file, unless :func:`load` would refuse what it holds."""
    save(path, model)
    strange = _trust.refused(_skops().get_untrusted_types(file=path))
    if strange:
        path.unlink()
        raise CommandError(
            f"{model.winner} cannot be saved: a model file may not hold {quoted(strange)}"
        )


def load(path: Path) -> ModelFile:
    """Read a model file without running anything it brings; refuses what is not one."""
    data = _bytes(path)
    skops = _skops()
    try:
        strange = _trust.refused(names := skops.get_untrusted_types(data=data))
    except Exception as error:
        raise CommandError(f"{path.name} is not a model file: {one_line(error)}") from error
    if strange and strange == _trust.moved(strange):
        raise CommandError(
            f"{path.name} was written by another version of margin, which kept "
            f"{quoted(strange)}; run margin compare again to fit the model anew"
        )
    if strange:
        raise CommandError(
            f"{path.name} is refused: it would load types that no model of margin holds: "
            f"{quoted(strange)}"
        )
    try:
        with warnings.catch_warnings():
            # said in one line by `differences`
            warnings.filterwarnings("ignore", "Trying to unpickle estimator")
            content = skops.loads(data, trusted=names)
        sound = _trust.sound_trees(content)
    except Exception as error:
        raise CommandError(f"{path.name} cannot be loaded: {one_line(error)}") from error
    if not sound:
        raise CommandError(f"{path.name} is refused: it holds a damaged decision tree")
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise CommandError(f"{path.name} was not written by margin compare")
    if content.pop("edition", None) != EDITION:
        raise CommandError(f"{path.name} was written by another edition of margin")
    try:
        model = ModelFile(**content)
    except TypeError as error:
        raise CommandError(f"{path.name} is incomplete: {one_line(error)}") from error
    if not _well_formed(model):
        raise CommandError(f"{path.name} holds no usable model")
    return model


def _well_formed(model: ModelFile) -> bool:
    """Whether the parts are of the kinds that the commands rely on."""
    if not all(isinstance(p, list) for p in (model.columns, model.classes, model.test_interval)):
        return False
    kinds = {"name": str, "scale": str, "used": bool}
    described = all(
        isinstance(column, dict) and all(isinstance(column.get(k), t) for k, t in kinds.items())
        for column in model.columns
    )
    words = (model.winner, model.target, model.metric, model.source, model.fit_report)
    numbers = (model.test_score, model.baseline_score, *model.test_interval)
    return (
        described
        and hasattr(model.pipeline, "predict")
        and model.task in ("classification", "regression")
        and all(isinstance(word, str) for word in words)
        and all(isinstance(number, float) for number in numbers)
        and len(model.test_interval) == 2
        and isinstance(model.versions, dict)
        and _well_formed_extras(model)
    )


def _well_formed_extras(model: ModelFile) -> bool:
    """Whether the parts that older files lack are of the kinds that the commands rely on."""
    from margin.evaluation import Calibration

    kinds = {"name": str, "scale": str, "missing": bool, "levels": list, "layout": str}
    ends = ("low", "high")
    return (
        (model.calibration is None or isinstance(model.calibration, Calibration))
        and (model.threshold is None or isinstance(model.threshold, float))
        and isinstance(model.coverage, str)
        and isinstance(model.profile, list)
        and all(
            isinstance(facts, dict)
            and all(isinstance(facts.get(k), t) for k, t in kinds.items())
            and all(facts.get(end) is None or isinstance(facts[end], float) for end in ends)
            for facts in model.profile
        )
    )


def _bytes(path: Path) -> bytes:
    """Content of the file, after a look at its directory that no archive bomb survives."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise CommandError(f"model file {path} {what}")
    if path.stat().st_size > MOST_BYTES:
        raise CommandError(f"{path.name} is larger than {MOST_BYTES >> 20} MiB")
    data = path.read_bytes()
    if data[:1] == b"\x80" or path.suffix in {".pkl", ".pickle", ".joblib"}:
        raise CommandError(
            f"{path.name} is refused: a pickle can run any code when it is loaded; "
            "a model.skops of margin compare is needed"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise CommandError(f"{path.name} is not a model file (not a skops archive)") from None
    sizes = {member.filename: member.file_size for member in members}
    if "schema.json" not in sizes:
        raise CommandError(f"{path.name} is not a model file (no schema inside)")
    large = sum(member.file_size for member in members) > MOST_BYTES
    if large or sizes["schema.json"] > MOST_SCHEMA_BYTES or len(members) > MOST_MEMBERS:
        raise CommandError(f"{path.name} is refused: it would unpack to an unreasonable size")
    return data


def _skops() -> Any:
    try:
        import skops.io
    except ImportError as error:
        raise CommandError("model files need skops: pip install 'margin[compare]'") from error
    return skops.io
