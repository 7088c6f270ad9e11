"""Several classes by two-class processes, one against the rest, with one kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.solvers._solver import Evaluation

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OneVsRest:
    """One two-class approximation per class; their evidences add up, so the kernel is shared.

    Parameters
    ----------
    binary : Laplace or ExpectationPropagation
        How each is approximated.
    """

    binary: Any

    @property
    def name(self) -> str:
        """That of the approximation."""
        return f"{self.binary.name}, one against the rest"

    def extra(self) -> Floats:
        """Nothing is learned besides the kernel."""
        return np.empty(0)

    def with_extra(self, extra: Floats) -> OneVsRest:
        """Itself."""
        return self

    def each(self, seen: Labels) -> list[Any]:
        """The approximation for every class."""
        return [replace(self.binary, positive=c) for c in range(seen.n_classes)]

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Sum of the log marginal likelihoods and of their gradients."""
        found = [one.evaluate(kernel, seen, gradient=gradient) for one in self.each(seen)]
        return Evaluation(sum(f.value for f in found), np.sum([f.gradient for f in found], axis=0))

    def condition(self, kernel: Any, seen: Labels) -> OneVsRestPosterior:
        """The posterior of every class."""
        return OneVsRestPosterior(tuple(o.condition(kernel, seen) for o in self.each(seen)))


@dataclass(frozen=True, eq=False)
class OneVsRestPosterior:
    """Independent latent functions, one per class."""

    parts: tuple[LatentPosterior, ...]

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Means and variances of the latent functions, both of shape (m, C)."""
        found = [part.predict(kernel, X, diag) for part in self.parts]
        return np.stack([f[0] for f in found], axis=1), np.stack([f[1] for f in found], axis=1)
