"""Which model suits this table, and how sure are we?"""

from margin.core import publish
from margin.evaluation._bayes_search import BayesSearchCV
from margin.evaluation._compare import compare
from margin.evaluation.models._ordered_classifier import OrderedClassifier
from margin.evaluation.models._rule import Rule
from margin.evaluation.models._scaled_target import ScaledTarget
from margin.evaluation.models._tuned_classifier import TunedClassifier
from margin.evaluation.race._baselines import Improvement, baselines
from margin.evaluation.race._discovery import all_estimators, family, summary
from margin.evaluation.table._column_info import ColumnInfo, Histogram
from margin.evaluation.table._columns import describe_columns
from margin.evaluation.table._hashed_text import HashedText
from margin.evaluation.table._levels import AsLevels
from margin.evaluation.table._metric import Metric, choose_metric
from margin.evaluation.table._nature import Nature
from margin.evaluation.table._preprocess import preprocessor
from margin.evaluation.table._split import Split, holdout
from margin.evaluation.table._task import InferredTask, choose_target, infer_task
from margin.evaluation.table._transformers import AsNumbers, AsText, DateParts
from margin.evaluation.verdict._against import Against
from margin.evaluation.verdict._forward import ForwardScore
from margin.evaluation.verdict._importance import permutation_importance
from margin.evaluation.verdict._intervals import (
    prediction_interval,
    score_interval,
    wilson_interval,
)
from margin.evaluation.verdict._learning_curve import learning_curve
from margin.evaluation.verdict._limits import Limits
from margin.evaluation.verdict._paired import PairedTest, corrected_paired_test, corrected_se
from margin.evaluation.verdict._result import (
    Baseline,
    Comparison,
    Importance,
    LearningCurve,
    ModelResult,
)
from margin.evaluation.verdict._size_report import SizeReport, expected_best
from margin.evaluation.winner._calibration import Calibration, calibrated
from margin.evaluation.winner._coverage import Coverage, coverage
from margin.evaluation.winner._curves import DecisionCurves
from margin.evaluation.winner._decision import Decision, decision_of
from margin.evaluation.winner._drift import drift, profile
from margin.evaluation.winner._effects import Effect
from margin.evaluation.winner._explain import reasons, row_reasons

__all__ = [
    "Against",
    "AsLevels",
    "AsNumbers",
    "AsText",
    "Baseline",
    "BayesSearchCV",
    "Calibration",
    "ColumnInfo",
    "Comparison",
    "Coverage",
    "DateParts",
    "Decision",
    "DecisionCurves",
    "Effect",
    "ForwardScore",
    "HashedText",
    "Histogram",
    "Importance",
    "Improvement",
    "InferredTask",
    "LearningCurve",
    "Limits",
    "Metric",
    "ModelResult",
    "Nature",
    "OrderedClassifier",
    "PairedTest",
    "Rule",
    "ScaledTarget",
    "SizeReport",
    "Split",
    "TunedClassifier",
    "all_estimators",
    "baselines",
    "calibrated",
    "choose_metric",
    "choose_target",
    "compare",
    "corrected_paired_test",
    "corrected_se",
    "coverage",
    "decision_of",
    "describe_columns",
    "drift",
    "expected_best",
    "family",
    "holdout",
    "infer_task",
    "learning_curve",
    "permutation_importance",
    "prediction_interval",
    "preprocessor",
    "profile",
    "reasons",
    "row_reasons",
    "score_interval",
    "summary",
    "wilson_interval",
]

publish(__name__)
