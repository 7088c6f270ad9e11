"""One report of many fits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from margin.core import FitReport, Status
from margin.multiclass._training_cost import TrainingCost


def gathered_report(
    name: str, classifiers: Sequence[Any], cost: TrainingCost, notes: tuple[str, ...] = ()
) -> FitReport:
    """The worst status and certificate of the classifiers, the sum of their objectives.

    Parameters
    ----------
    name : str
        Of the reduction.
    classifiers : sequence
        Fitted binary classifiers; those of other libraries leave no report.
    cost : TrainingCost
    notes : tuple of str
        What else there is to say.
    """
    reports = [getattr(classifier, "fit_report_", None) for classifier in classifiers]
    known = [report for report in reports if isinstance(report, FitReport)]
    facts = (str(cost), *notes)
    inner = type(classifiers[0]).__name__
    if len(known) < len(reports):
        facts += (f"{inner} leaves no report of its own",)
        return FitReport(name, inner, Status.CONVERGED, len(reports), float("nan"), notes=facts)
    worst = max(known, key=lambda report: report.status.severity)
    missed = sum(not report.status.ok for report in known)
    proofs = [report.certificate for report in known if report.certificate is not None]
    iterations = np.array([report.n_iter for report in known])
    objective = np.array([report.objective for report in known])
    return FitReport(
        estimator=name,
        solver=f"{inner} ({worst.solver})",
        status=worst.status,
        n_iter=int(iterations.sum()),
        objective=float(objective.sum()),
        certificate=max(proofs, key=lambda c: c.ratio, default=None),
        trace={
            "classifier_rows": np.array(cost.rows, dtype=np.float64),
            "classifier_iterations": iterations.astype(np.float64),
            "classifier_objective": objective,
        },
        repairs=tuple(dict.fromkeys(text for report in known for text in report.repairs)),
        notes=facts + tuple(dict.fromkeys(text for report in known for text in report.notes)),
        message=f"{missed} of {len(known)} classifiers: {worst.message}" if missed else "",
    )
