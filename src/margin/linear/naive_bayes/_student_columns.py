"""Columns that follow Student's t in every class: normals with their parameters integrated out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.distributions import StudentT
from margin.linear.naive_bayes._column_models import ColumnLikelihood

_ROWS = 4096


@dataclass(frozen=True)
class StudentLikelihood(ColumnLikelihood):
    """Degrees of freedom, centres and widths of shape (n_classes, p).

    Parameters
    ----------
    df, loc, scale : ndarray of shape (n_classes, p)
    log_evidence : float
        Log probability of the training rows, each under its own class.
    """

    df: Floats
    loc: Floats
    scale: Floats
    log_evidence: float

    @property
    def log_penalty(self) -> float:
        """Nothing: the parameters are integrated out."""
        return 0.0

    def log_prob(self, X: Array) -> Floats:
        """Log density of the rows."""
        out = np.empty((len(X), len(self.loc)))
        for k, (df, loc, scale) in enumerate(zip(self.df, self.loc, self.scale, strict=True)):
            columns = StudentT(df, loc, scale)
            for start in range(0, len(X), _ROWS):
                rows = slice(start, start + _ROWS)
                out[rows, k] = columns.log_prob(X[rows]).sum(axis=1)
        return out

    def total_log_prob(self, stats: Any) -> float:
        """Log evidence of the training rows."""
        return self.log_evidence

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Rows of Student's t."""
        return self.loc[code] + self.scale[code] * rng.standard_t(self.df[code])
