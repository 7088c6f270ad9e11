"""The border of the library: checks, results, ragged data, missing values, randomness, progress."""

from margin.core import check, missing, progress, random, threads, versions
from margin.core._atomic import atomic
from margin.core._card import Card
from margin.core._distinct_rows import DistinctRows, distinct_rows, stored_rows
from margin.core._linear_scores import best_label, linear_scores
from margin.core._report import FitReport
from margin.core._sequences import Sequences
from margin.core._solution import Certificate, FitError, Solution, Status

__all__ = [
    "Card",
    "Certificate",
    "DistinctRows",
    "FitError",
    "FitReport",
    "Sequences",
    "Solution",
    "Status",
    "atomic",
    "best_label",
    "check",
    "distinct_rows",
    "linear_scores",
    "missing",
    "progress",
    "random",
    "stored_rows",
    "threads",
    "versions",
]
