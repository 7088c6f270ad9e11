"""What machines with several kernels share: their parameters, and the learning of the weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin.core import FitReport, Solution, check, progress, random, threads
from margin.core.types import Array, Floats
from margin.kernels import Kernel, alignment_weights
from margin.optim import (
    Duel,
    GramMatrix,
    Machine,
    Trainer,
    Tube,
    WeightedMachines,
    fixed_weights,
    learn_weights,
)
from margin.svm._gram import indefinite_notes
from margin.svm._kernel_machine import KernelMachine
from margin.svm.multiple_kernel._stack import (
    KernelStack,
    candidates,
    checked_matrices,
    given_stack,
    kernel_stack,
    query_stack,
)

SHOWN = 20


@dataclass(frozen=True, eq=False)
class Learnt:
    """Weights of kernels, the machines that go with them, and the kernel they make.

    Parameters
    ----------
    stack : KernelStack
    solution : Solution
        With the :class:`~margin.optim.WeightedMachines` among its extras.
    """

    stack: KernelStack
    solution: Solution

    @property
    def point(self) -> WeightedMachines:
        """The weights and their machines."""
        point: WeightedMachines = self.solution.extras["machines"]
        return point

    @property
    def machines(self) -> list[Machine]:
        """The machines, one per task."""
        return list(self.point.machines)

    @property
    def kernel(self) -> Kernel | None:
        """The weighted sum as a kernel, ``None`` for matrices that were given."""
        return self.stack.kernel(self.point.weights)

    def notes(self) -> tuple[str, ...]:
        """Weights in words, the largest first."""
        weights, names = self.point.weights, self.stack.names
        order = [m for m in np.argsort(-weights, kind="stable") if weights[m] > 0]
        words = [f"weight {weights[m]:.4g} of {names[m]}" for m in order[:SHOWN]]
        left = len(names) - len(order)
        return (*words, *([f"weight 0 of {left} other kernels"] if left else []))


def _wide_enough(X: Any, factors: Floats) -> Any:
    """Rows in double precision where the factor of a kernel is no number in theirs."""
    if getattr(X, "dtype", None) != np.float32 or factors.max() <= np.finfo(np.float32).max:
        return X
    return X.astype(np.float64)


class WeightedMachine(KernelMachine):
    """A machine whose kernel is a weighted sum of candidates."""

    kernels: Any
    C: Any
    strategy: Any
    norm: Any
    normalize: Any
    tol: Any
    max_iter: Any
    random_state: Any
    weights_: Floats
    kernel_: Kernel | None
    n_iter_: int
    fit_report_: FitReport

    @property
    def kernel(self) -> Any:
        """The candidate that says what ``X`` is: a table, a list of objects, or matrices."""
        listed = candidates(type(self).__name__, self.kernels)
        if listed is None:
            return "precomputed"
        special = (k for k in listed if getattr(k, "input", "any") not in ("any", "vectors"))
        return next(special, listed[0])

    def _check_weights(self) -> None:
        """Refuse bad parameters that machines with several kernels share."""
        candidates(type(self).__name__, self.kernels)
        check.params(
            self,
            positive="C tol",
            count="max_iter",
            flag="normalize",
            one_of={"strategy": ("joint", "alignment", "mean")},
        )
        norm = self.norm
        if isinstance(norm, bool) or not isinstance(norm, Real) or not float(norm) >= 1:
            raise check.fail(self, "norm", "a number of at least 1", norm)
        self._check_kernel()

    def _stacked(
        self, X: Any, y: Any, sample_weight: Any, target: Literal["classes", "numeric"]
    ) -> tuple[Any, Any, Floats | None, KernelStack]:
        """Checked data and the kernel matrices of all candidates."""
        name = type(self).__name__
        listed = candidates(name, self.kernels)
        if listed is None:
            matrices = checked_matrices(name, X)
            X, y, weight = self._training(matrices[0], y, sample_weight, target)
            return X, y, weight, given_stack(matrices, weight, normalize=self.normalize)
        X, y, weight = self._training(X, y, sample_weight, target)
        stack = kernel_stack(
            name,
            [self._choice(kernel) for kernel in listed],
            X,
            weight,
            spread=self.kernels is None,
            normalize=self.normalize,
            allow_single=self.tol >= 1e-4,
            n_threads=threads.count(self.n_jobs),
        )
        return _wide_enough(X, stack.factors), y, weight, stack

    def _learn(
        self, stack: KernelStack, target: Array, weight: Floats | None, tasks: Sequence[Duel | Tube]
    ) -> Learnt:
        """Learn the weights; ``target`` is what alignment looks at."""
        m, tol = len(stack.names), float(self.tol)
        trainer = Trainer(stack, tasks, tol, threads.count(self.n_jobs))
        if self.strategy == "alignment" and m > 1:
            scaled = [a * K for a, K in zip(stack.factors, stack.matrices, strict=True)]
            aligned = alignment_weights(scaled, target, weight)
            return Learnt(stack, fixed_weights(trainer, aligned, tol, "alignment"))
        if self.strategy == "mean" or m == 1 or np.isinf(self.norm):
            equal = np.full(m, 1.0 / m)
            return Learnt(stack, fixed_weights(trainer, equal, tol, "equal shares"))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solution = learn_weights(
                trainer,
                float(self.norm),
                tol=tol,
                max_iter=int(self.max_iter),
                rng=random.generator(self.random_state),
                callback=tick,
            )
        return Learnt(stack, solution)

    def _keep_weights(self, learnt: Learnt, gram: GramMatrix) -> None:
        """Store the weights with the report."""
        weights, kernel = learnt.point.weights, learnt.kernel
        notes = self._warned(indefinite_notes(kernel, gram), stacklevel=5)
        self.weights_, self.kernel_ = weights, kernel
        self._stack_weights = weights * learnt.stack.factors
        self.n_iter_ = learnt.solution.n_iter
        self.fit_report_ = check.report(self, learnt.solution, (*learnt.notes(), *notes))

    def _named_kernel(self) -> str:
        return str(self.kernel_)

    def _query(self, X: Any) -> Any:
        """Checked ``X`` of a prediction; matrices that are given are added up."""
        check_is_fitted(self)
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            X = query_stack(type(self).__name__, X, self._stack_weights)
        return _wide_enough(super()._query(X), self._stack_weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = tags.input_tags.pairwise
        return tags
