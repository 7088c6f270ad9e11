"""What a comparison of models found: plain values, ready to print, plot or save."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from margin.core.types import Array, Floats
from margin.evaluation.table._column_info import ColumnInfo, TaskName
from margin.evaluation.table._nature import Nature
from margin.evaluation.table._shown import shown
from margin.evaluation.verdict._account import Account
from margin.evaluation.verdict._against import Against
from margin.evaluation.verdict._forward import ForwardScore
from margin.evaluation.verdict._limits import Limits
from margin.evaluation.verdict._paired import PairedTest
from margin.evaluation.winner._calibration import Calibration
from margin.evaluation.winner._coverage import Coverage
from margin.evaluation.winner._curves import DecisionCurves
from margin.evaluation.winner._effects import Effect
from margin.inspection import Explanation

NAN = float("nan")
# Status of a model that led, but whose fit on all training rows would have ended too late.
NO_TIME = "no time to fit it on all training rows"
_MOST_SHOWN = 8


@dataclass(frozen=True)
class ModelResult:
    """Cross-validated standing of one model.

    ``scores`` has one entry per fold that the model finished (higher is better), ``folds`` their
    numbers. ``score`` is their mean, for a model that left the race adjusted for the folds it
    missed; ``score_se`` is its standard error, corrected for the overlap of the folds.
    ``difference`` is the best model's score minus this one's on the folds that both finished,
    ``p_value`` belongs to the corrected paired test of that difference, NaN for the best itself
    and wherever fewer than five folds were finished. The times are means over folds of the model
    alone, without preprocessing and tuning. A model that failed has a score of NaN and a status
    that begins with ``"failed: "``; one that led but could not be fitted on all training rows in
    time keeps its folds, stands behind the winner, and its status says why.
    """

    model: str
    family: str
    score: float
    score_se: float
    scores: tuple[float, ...]
    fit_seconds: float
    predict_seconds: float
    status: str
    difference: float = 0.0
    difference_se: float = 0.0
    p_value: float = NAN
    params: dict[str, Any] = field(default_factory=dict)
    is_baseline: bool = False
    note: str = ""
    fit_report: str = ""
    folds: tuple[int, ...] = ()


@dataclass(frozen=True)
class Baseline:
    """What the winner must beat: the best baseline of the folds, scored on the test rows."""

    model: str
    score: float


@dataclass(frozen=True)
class LearningCurve:
    """Score against the number of training rows, mean and standard error over folds."""

    sizes: tuple[int, ...]
    train_mean: tuple[float, ...]
    train_se: tuple[float, ...]
    test_mean: tuple[float, ...]
    test_se: tuple[float, ...]
    verdict: str


@dataclass(frozen=True)
class Importance:
    """Loss of test score when one column is shuffled, mean and standard deviation."""

    feature: str
    mean: float
    std: float


@dataclass(frozen=True, repr=False)
class Comparison:
    """Everything ``margin compare`` has to say.

    Scores are higher-is-better values of ``metric`` (``"accuracy"``, ``"balanced accuracy"``,
    ``"R²"`` …). ``results`` is sorted, best first, baselines included. ``model`` is the winner,
    refitted on all training rows, a scikit-learn pipeline that takes the raw table.
    ``test_interval`` holds the test score with 95 % confidence, ``y_interval`` each test target
    with probability 90 %. ``columns`` includes the target, with ``used=False``. ``limits`` says
    what limited the answer; when only baselines finished, ``model`` is the best of them.
    ``against_baseline`` compares winner and best baseline over the folds,
    ``test_against_baseline`` over the test rows; ``None`` when a baseline won. ``metric_words``
    explains the score, ``nature`` says what was recognised about the target, ``forward`` is the
    score forward in time where rows seem to follow one another, ``curves`` show what the threshold
    of two classes trades, ``class_curves`` each of several classes against the rest.
    ``calibration`` maps the winner's probabilities to calibrated ones, ``coverage`` measures the
    intervals on the test rows, ``effects`` are the answers as functions of the most important
    columns, ``explanation`` shares the answers of some test rows (positions in
    ``explained_rows``) out over the columns, ``against`` compares with an earlier model,
    ``missing`` says why a part is not there, and ``profile`` describes the training rows for a
    check of new ones.
    """

    source: str
    task: TaskName
    target: str
    metric: str
    classes: tuple[Any, ...]
    columns: tuple[ColumnInfo, ...]
    n_rows: int
    n_train: int
    n_test: int
    results: tuple[ModelResult, ...]
    winner: str
    model: Any
    test_score: float
    test_interval: tuple[float, float]
    baseline: Baseline
    verdict: str
    learning_curve: LearningCurve | None
    importances: tuple[Importance, ...]
    y_test: Array
    y_pred: Array
    y_proba: Floats | None
    y_interval: Floats | None
    fit_report: str
    seed: int
    folds: str
    seconds: float
    interrupted: bool = False
    out_of_budget: bool = False
    warnings: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    limits: Limits = field(default_factory=Limits)
    against_baseline: PairedTest | None = None
    test_against_baseline: PairedTest | None = None
    metric_words: str = ""
    nature: Nature = field(default_factory=Nature)
    forward: ForwardScore | None = None
    curves: DecisionCurves | None = None
    calibration: Calibration | None = None
    coverage: Coverage | None = None
    effects: tuple[Effect, ...] = ()
    explanation: Explanation | None = None
    explained_rows: tuple[int, ...] = ()
    against: Against | None = None
    class_curves: tuple[DecisionCurves, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    profile: tuple[dict[str, Any], ...] = ()

    def __repr__(self) -> str:
        return self._account().text()

    def _repr_html_(self) -> str:
        return self._account().html()

    def _account(self) -> Account:
        """What fits on a screen: the verdict, what limited it, the best models."""
        shown = self.results[:_MOST_SHOWN]
        return Account(
            f"Comparison of {len(self.results)} models: {self.task} of {self.target}",
            [self.verdict, *(f"{words[:1].upper()}{words[1:]}." for words in self.limits.text)],
            ["model", self.metric, "± se", "behind best", "fit s"],
            [_line(result, result is self.results[0]) for result in shown],
            len(self.results) - len(shown),
        )


def _line(result: ModelResult, best: bool) -> list[str]:
    values = (result.score, result.score_se, result.difference)
    score, error, behind = map(shown, values)
    seconds = f"{result.fit_seconds:.2g}" if math.isfinite(result.fit_seconds) else "–"
    return [result.model, score, error, "best" if best else behind, seconds]
