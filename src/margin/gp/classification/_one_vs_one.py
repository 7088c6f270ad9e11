"""Several classes by two-class processes, one for each pair, with one kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from margin.core import objects
from margin.core.types import Floats, Places
from margin.gp.classification._latent import Labels, LatentPosterior
from margin.gp.solvers._interface import Evaluation, Solver


@dataclass(frozen=True)
class OneVsOne(Solver):
    """One two-class approximation per pair of classes, each on the rows of these two.

    Their evidences add up, so the kernel is shared.

    Parameters
    ----------
    binary : Laplace or ExpectationPropagation
        How each is approximated.
    """

    name: ClassVar[str] = "one against one"
    binary: Any

    @property
    def label(self) -> str:
        """That of the approximation, too."""
        return f"{self.binary.name}, {self.name}"

    def each(self, seen: Labels) -> list[tuple[Any, Labels]]:
        """The approximation for every pair, the second class being the positive one."""
        pairs = []
        for first, second in combinations(range(seen.n_classes), 2):
            rows = np.flatnonzero((seen.codes == first) | (seen.codes == second))
            part = Labels(objects.take(seen.X, rows), seen.codes[rows], seen.n_classes)
            pairs.append((replace(self.binary, positive=second), part))
        return pairs

    def evaluate(self, kernel: Any, seen: Labels, *, gradient: bool = True) -> Evaluation:
        """Sum of the log marginal likelihoods and of their gradients."""
        each = [one.evaluate(kernel, part, gradient=gradient) for one, part in self.each(seen)]
        return Evaluation(sum(e.value for e in each), np.sum([e.gradient for e in each], axis=0))

    def condition(self, kernel: Any, seen: Labels) -> OneVsOnePosterior:
        """The posterior of every pair."""
        return OneVsOnePosterior(
            tuple(one.condition(kernel, part) for one, part in self.each(seen))
        )


@dataclass(frozen=True, eq=False)
class OneVsOnePosterior:
    """Independent latent functions, one per pair of classes in lexicographic order."""

    parts: tuple[LatentPosterior, ...]

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Means and variances of the latent functions, both of shape (m, pairs)."""
        each = [part.predict(kernel, X, diag) for part in self.parts]
        return np.stack([mean for mean, _ in each], axis=1), np.stack([v for _, v in each], axis=1)


def most_wins(mean: Floats, n_classes: int) -> Places:
    """Class that wins most of its pairs; the sum of its latent means decides among equals.

    Examples
    --------
    >>> most_wins(np.array([[1.0, 2.0, -3.0]]), 3)  # 1 beats 0, 2 beats 0, 1 beats 2
    array([1])
    """
    wins, sums = np.zeros((len(mean), n_classes)), np.zeros((len(mean), n_classes))
    for j, (first, second) in enumerate(combinations(range(n_classes), 2)):
        wins[:, first] += mean[:, j] <= 0
        wins[:, second] += mean[:, j] > 0
        sums[:, first] -= mean[:, j]
        sums[:, second] += mean[:, j]
    # Less than half a win, and in the order of the sums.
    return np.asarray((wins + sums / (3.0 * (np.abs(sums) + 1.0))).argmax(axis=1), dtype=np.intp)
