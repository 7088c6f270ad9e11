"""Machines for two classes, trained for all duels of a classifier and put together."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Ints, Places
from margin.kernels import Expansion, Kernel
from margin.optim import Gram, Machine
from margin.svm._kernel_machine import functions_at
from margin.svm.diagnosis._support_report import SupportReport, support_report
from margin.svm.kernel._class_duals import ClassDual
from margin.svm.kernel._dual_machine import DualSettings
from margin.svm.kernel._leave_one_out import leave_one_out
from margin.svm.kernel._multiclass import by_opponent, class_duels
from margin.svm.kernel._probability import calibrate


@dataclass(frozen=True, eq=False)
class ClassData:
    """What the machines of a classifier are trained on.

    Parameters
    ----------
    X : table or list
    classes : ndarray of shape (n_classes,)
    codes : ndarray of int, class of every row
    weight : ndarray, factor of the loss of every row
    kernel : Kernel or None
    gram : Gram
    factors : ndarray of shape (n_classes,), optional
        Factors of the classes, which are part of the weights.
    """

    X: Any
    classes: Array
    codes: Places
    weight: Floats
    kernel: Kernel | None
    gram: Gram
    factors: Floats = field(default_factory=lambda: np.ones(0))

    def duels(self, strategy: str) -> list[tuple[Places, Floats]]:
        """Rows of every machine, and +1 or -1 for each of them."""
        return class_duels(self.codes, len(self.classes), strategy)

    def part(self, rows: Places) -> Gram:
        """The kernel matrix of some of the rows."""
        return self.gram if len(rows) == self.gram.n else self.gram.take(rows)


@dataclass(frozen=True, eq=False)
class TrainedClassifier:
    """What a classifier shows of its machines.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
    functions : Expansion
        One function per machine; support vectors class by class.
    n_support : ndarray of shape (n_classes,)
    dual_coef : ndarray
        Coefficients in scikit-learn's arrangement.
    reports : tuple of SupportReport
        One per machine.
    calibrations : tuple of pairs of arrays
        One per machine, where probabilities are wanted.
    """

    classes: Array
    functions: Expansion
    n_support: Ints
    dual_coef: Floats
    reports: tuple[SupportReport, ...]
    calibrations: tuple[tuple[Floats, Floats], ...] = ()


def train_machines(
    data: ClassData, strategy: str, dual: ClassDual, settings: DualSettings, tick: Callback
) -> list[Machine]:
    """The machine of every duel."""
    return [
        dual.train(data.part(rows), sign, data.weight[rows], settings, tick)
        for rows, sign in data.duels(strategy)
    ]


def assembled(
    data: ClassData,
    machines: Sequence[Machine],
    *,
    strategy: str,
    calibration: str | None,
    tol: float,
    rng: np.random.Generator | None,
) -> TrainedClassifier:
    """Trained machines as one classifier.

    Parameters
    ----------
    data : ClassData
    machines : sequence of Machine, one per duel
    strategy : {"ovo", "ovr", "dag"}
    calibration : {"sigmoid", "isotonic"} or None
        How scores become probabilities, if they do.
    tol : float
        Of the optimality conditions.
    rng : Generator or None
        Chooses among very many unbound support vectors; not needed without calibration.
    """
    n_classes, codes = len(data.classes), data.codes
    coef, reports, calibrations = np.zeros((len(codes), len(machines))), [], []
    slack = max(2 * tol, 1e-6)
    for k, (rows, sign) in enumerate(data.duels(strategy)):
        machine = machines[k]
        coef[rows, k] = machine.coef
        margin = sign * machine.decision
        reports.append(support_report(machine.coef, machine.bound, margin, rows, slack))
        if calibration is not None and rng is not None:
            unseen = leave_one_out(data.part(rows), machine, rng)
            calibrations.append(calibrate(calibration, unseen, sign > 0, data.weight[rows]))
    support = np.flatnonzero(np.any(coef != 0, axis=1))
    support = support[np.argsort(codes[support], kind="stable")]
    kept, own = coef[support], codes[support]
    pairs = n_classes > 2 and strategy != "ovr"
    biases = [machine.bias for machine in machines]
    return TrainedClassifier(
        classes=data.classes,
        functions=functions_at(data.kernel, data.X, support, kept, biases),
        n_support=np.bincount(own, minlength=n_classes).astype(np.int32),
        dual_coef=by_opponent(kept, own, n_classes) if pairs else np.ascontiguousarray(kept.T),
        reports=tuple(reports),
        calibrations=tuple(calibrations),
    )


def merged(machines: Sequence[Machine]) -> Solution:
    """One solution that stands for those of all machines: gaps added up, steps kept."""
    solutions = [machine.solution for machine in machines]
    if len(solutions) == 1:
        return solutions[0]
    whole = Solution.merge(solutions, parts="machines", n_iter="sum")
    return replace(
        whole,
        extras={
            "gap": sum(s.extras["optimality"].gap for s in solutions),
            "n_iter": tuple(s.n_iter for s in solutions),
        },
    )
