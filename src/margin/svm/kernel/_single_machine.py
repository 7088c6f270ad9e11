"""What support vector machines with one function share: the outline of a fit."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from margin.core import progress
from margin.core.types import Array, Floats, Ints
from margin.kernels import Expansion, Kernel
from margin.svm._gram import indefinite_notes, training_gram
from margin.svm._kernel_machine import KernelMachine, extent, functions_at, like_vectors
from margin.svm.diagnosis._support_report import SupportReport, support_report
from margin.svm.kernel._dual_machine import DualMachine
from margin.svm.kernel._single_duals import Single, SingleDual


@dataclass(frozen=True, eq=False)
class TrainedSingle:
    """What a machine with one function shows.

    Parameters
    ----------
    functions : Expansion
    dual_coef : ndarray of shape (1, n_support)
    report : SupportReport
    """

    functions: Expansion
    dual_coef: Floats
    report: SupportReport


def shown(kernel: Kernel | None, X: Any, single: Single, tol: float) -> TrainedSingle:
    """A trained machine with its support vectors and the kinds of its rows."""
    machine, margin = single.machine, single.margin
    support = np.flatnonzero(machine.coef)
    coef = machine.coef[support]
    slack, nobody = max(2 * tol, 1e-6), np.zeros(len(margin), dtype=bool)
    report = support_report(
        machine.coef, machine.bound, margin, np.arange(len(margin)), slack, wrong=nobody
    )
    functions = functions_at(kernel, X, support, coef[:, None], [machine.bias])
    return TrainedSingle(functions, coef[None], report)


class SingleMachine(KernelMachine):
    """A kernel machine with one function."""

    n_support_: Ints
    dual_coef_: Any
    support_report_: SupportReport

    def _keep_single(self, trained: TrainedSingle) -> None:
        """Store the machine, but for the report of the fit."""
        self._keep_functions(trained.functions)
        self.n_support_ = np.array([len(self.support_)], dtype=np.int32)
        self.dual_coef_ = like_vectors(trained.dual_coef, trained.functions.vectors)
        self.support_report_ = trained.report

    def _values(self, X: Any) -> Array:
        """Value of the machine at every row."""
        return np.asarray(self._scores(X)[:, 0])


class SingleDualMachine(SingleMachine, DualMachine):
    """A machine with one function that is trained by its box dual."""

    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        target: Literal["numeric"] | None,
        dual: SingleDual,
    ) -> Single:
        """Check the data, train the machine and store it; returns what was trained."""
        X, y, weight = self._training(X, y, sample_weight, target)
        settings = self._settings()
        kernel = self._choice().resolve(X, weight)
        gram = training_gram(
            kernel,
            X,
            tol=settings.tol,
            cache_size=settings.cache_size,
            n_threads=settings.n_threads,
        )
        notes = self._warned(indefinite_notes(kernel, gram), stacklevel=5)
        weight = np.ones(gram.n) if weight is None else weight

        with progress.bar(settings.owner) as tick:
            single = dual.train(gram, y, weight, settings, tick)

        self.shape_fit_ = extent(X)
        self._keep_single(shown(kernel, X, single, settings.tol))
        self._keep_report(single.machine.solution, notes)
        return single
