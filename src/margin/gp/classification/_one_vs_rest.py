"""Several classes by two-class processes, one against the rest, with one kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.solvers._interface import Evaluation, Solver


@dataclass(frozen=True)
class OneVsRest(Solver):
    """One two-class approximation per class; their evidences add up, so the kernel is shared.

    Parameters
    ----------
    binary : Laplace or ExpectationPropagation
        How each is approximated.
    """

    name: ClassVar[str] = "one against the rest"
    binary: Any

    @property
    def label(self) -> str:
        """That of the approximation, too."""
        return f"{self.binary.name}, {self.name}"

    def each(self, seen: Labels) -> list[Any]:
        """The approximation for every class."""
        return [replace(self.binary, positive=c) for c in range(seen.n_classes)]

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Sum of the log marginal likelihoods and of their gradients."""
        each = [one.evaluate(kernel, seen, gradient=gradient) for one in self.each(seen)]
        return Evaluation(sum(e.value for e in each), np.sum([e.gradient for e in each], axis=0))

    def condition(self, kernel: Any, seen: Labels) -> OneVsRestPosterior:
        """The posterior of every class."""
        return OneVsRestPosterior(tuple(o.condition(kernel, seen) for o in self.each(seen)))


@dataclass(frozen=True, eq=False)
class OneVsRestPosterior:
    """Independent latent functions, one per class."""

    parts: tuple[LatentPosterior, ...]

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Means and variances of the latent functions, both of shape (m, C)."""
        each = [part.predict(kernel, X, diag) for part in self.parts]
        return np.stack([mean for mean, _ in each], axis=1), np.stack([v for _, v in each], axis=1)
