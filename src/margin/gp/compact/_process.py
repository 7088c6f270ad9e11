"""Gaussian process with a kernel of compact support: a sparse matrix, factored or by products."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from margin.core import FitError, memory
from margin.gp.compact._matrix import CompactMatrix, FactoredSystem
from margin.gp.compact._products import ProductSystem
from margin.gp.solvers._interface import Evaluation, Observations, Solver
from margin.gp.solvers._iterative import evaluate
from margin.gp.solvers._iterative_posterior import IterativePosterior
from margin.linalg import Fronts, sparse_cholesky

_OPERATIONS = 3e11


@dataclass(frozen=True)
class Compact(Solver):
    r"""A kernel that is zero between far points, by its sparse matrix (gp.05, kernels.25).

    The matrix is factored block by block if the factor is small, which is known before any work;
    the derivatives then need the inverse only where the matrix is not zero. Else conjugate
    gradients take over.

    Parameters
    ----------
    direct : bool or None
        Whether to factor; None: where it is cheap.
    why : str
        Why not, where the matrix is not factored.
    """

    name: ClassVar[str] = "compact"
    direct: bool | None = None
    why: str = field(default="asked for", compare=False)

    def resolution(self, n: int) -> float:
        return 0.0 if self.direct else float(0.1 / np.sqrt(n))

    def settled(self, kernel: Any, seen: Observations) -> Compact:
        """The same with the choice made, by the size of the factor at a kernel."""
        why = too_large(CompactMatrix.of(kernel, seen).plan())
        return replace(self, direct=not why, why=why)

    def _system(self, kernel: Any, seen: Observations) -> FactoredSystem | ProductSystem:
        matrix = CompactMatrix.of(kernel, seen)
        if self.direct is False:
            return ProductSystem.of(matrix, self.why)
        plan = matrix.plan()
        why = too_large(plan)
        if why and self.direct is None:
            return ProductSystem.of(matrix, why)
        if why:
            hint = "bound the length scale or use method='cg'"
            raise FitError(f"the matrix of {kernel} is no longer sparse: {why}; {hint}")
        name = f"kernel matrix of {kernel}"
        return FactoredSystem(matrix, sparse_cholesky(matrix.C, plan=plan, name=name))

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        system = self._system(kernel, seen)
        if isinstance(system, FactoredSystem):
            return system.evaluate(seen, gradient=gradient)
        return evaluate(system, seen, gradient=gradient)

    def condition(self, kernel: Any, seen: Observations) -> IterativePosterior:
        system = self._system(kernel, seen)
        repairs = system.factor.repairs if isinstance(system, FactoredSystem) else ()
        return IterativePosterior.of(system, seen, repairs)


def too_large(plan: Fronts) -> str:
    """Why a factor is too much, or nothing."""
    free = memory.available()
    if plan.operations > _OPERATIONS or (free is not None and 3 * 8 * plan.fill > free):
        return f"a factor has {plan.fill:.2g} numbers and needs {plan.operations:.2g} operations"
    return ""
