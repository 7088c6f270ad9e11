"""What to answer, given what a classifier believes: confidence, costs, and not answering."""

from margin.core import publish
from margin.decision._answers import (
    answer_level,
    confidence,
    decide,
    expected_cost,
    predict_or_reject,
)

__all__ = ["answer_level", "confidence", "decide", "expected_cost", "predict_or_reject"]

publish(__name__)
