"""The border of the library: checks, results, ragged data, missing values, randomness, progress."""

from margin.core import check, memory, missing, objects, progress, random, threads, types, versions
from margin.core._atomic import atomic
from margin.core._available import available_if
from margin.core._blocks import Blocks
from margin.core._card import Card
from margin.core._copies import simple_parameters, unfitted
from margin.core._extra import extra
from margin.core._linear_scores import best_label, linear_scores, two_probabilities
from margin.core._posterior import best_or_reject, confidence
from margin.core._publish import publish
from margin.core._sparse_coefficients import SparseCoefficients
from margin.core._turns import by_threads
from margin.core.border._refusal import UnservedError
from margin.core.iteration._iterate import iterate, watch
from margin.core.iteration._report import FitReport
from margin.core.iteration._run import Iterate
from margin.core.iteration._solution import Certificate, FitError, Solution, Status
from margin.core.iteration._stop import Stop
from margin.core.rows._distinct_rows import DistinctRows, distinct_rows, stored_rows
from margin.core.rows._sequences import Sequences

__all__ = [
    "Blocks",
    "Card",
    "Certificate",
    "DistinctRows",
    "FitError",
    "FitReport",
    "Iterate",
    "Sequences",
    "Solution",
    "SparseCoefficients",
    "Status",
    "Stop",
    "UnservedError",
    "atomic",
    "available_if",
    "best_label",
    "best_or_reject",
    "by_threads",
    "check",
    "confidence",
    "distinct_rows",
    "extra",
    "iterate",
    "linear_scores",
    "memory",
    "missing",
    "objects",
    "progress",
    "publish",
    "random",
    "simple_parameters",
    "stored_rows",
    "threads",
    "two_probabilities",
    "types",
    "unfitted",
    "versions",
    "watch",
]

publish(__name__)
