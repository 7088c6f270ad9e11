"""Which model suits this table, and how sure are we?"""

from margin.evaluation._result import (
    Baseline,
    ColumnInfo,
    Comparison,
    Importance,
    LearningCurve,
    ModelResult,
)

__all__ = [
    "Baseline",
    "ColumnInfo",
    "Comparison",
    "Importance",
    "LearningCurve",
    "ModelResult",
]
