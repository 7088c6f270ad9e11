"""Evidence kept of models that were fitted together."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from margin.core import FitReport, Status
from margin.distributions import Empirical


def gathered(name: str, members: Mapping[str, Any], notes: Sequence[str] = ()) -> FitReport:
    """One report of several fits: the worst status, and who it was.

    Members of other libraries leave no report, and count as converged.
    """
    reports = {
        label: model.fit_report_
        for label, model in members.items()
        if isinstance(getattr(model, "fit_report_", None), FitReport)
    }
    missed = {label: r for label, r in reports.items() if not r.status.ok}
    worst = max((r.status for r in reports.values()), key=_severity, default=Status.CONVERGED)
    return FitReport(
        name,
        ", ".join(members),
        worst,
        len(members),
        0.0,
        notes=tuple(notes),
        message="; ".join(f"{label}: {r.message}" for label, r in missed.items()),
    )


def _severity(status: Status) -> int:
    return status.severity


def spread_of(answers: Sequence[Any], weights: Any) -> Empirical:
    """Predictions of several models as one distribution per row."""
    return Empirical(np.column_stack(answers), weights)
