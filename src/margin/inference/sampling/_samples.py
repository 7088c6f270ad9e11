"""Weighted samples of a discrete model, and what they estimate."""

from dataclasses import dataclass, field

import numpy as np

from margin.core.types import Floats, Ints
from margin.inference._errors import ZeroProbabilityError


@dataclass(frozen=True)
class Samples:
    r"""Assignments with weights :math:`w_i \propto p(x_i) / g(x_i)`.

    Parameters
    ----------
    states : int array of shape (n, variables)
    cardinalities : tuple of int
    log_weight : ndarray of shape (n,)
        Zero for samples of the distribution itself.
    log_evidence : float
        Estimate of the log mass; NaN where the method gives none.

    Examples
    --------
    >>> import numpy as np
    >>> two = Samples(np.array([[0], [1]]), (2,), np.log([3.0, 1.0]))
    >>> two.marginal(0), float(round(two.effective_size, 4))
    (array([0.75, 0.25]), 1.6)
    """

    states: Ints = field(repr=False)
    cardinalities: tuple[int, ...]
    log_weight: Floats = field(repr=False)
    log_evidence: float = float("nan")

    @property
    def weight(self) -> Floats:
        """Normalised weights."""
        top = self.log_weight.max(initial=-np.inf)
        if not np.isfinite(top):
            raise ZeroProbabilityError(
                "Samples: some sample must agree with the evidence, got only weights of zero; "
                "draw more, or use gibbs"
            )
        weight = np.exp(self.log_weight - top)
        normal: Floats = weight / weight.sum()
        return normal

    @property
    def effective_size(self) -> float:
        r"""Number of equally weighted samples worth as much, :math:`1 / \sum_i w_i^2`."""
        return float(1.0 / (self.weight**2).sum())

    def marginal(self, *variables: int) -> Floats:
        """Estimated posterior table of these variables."""
        shape = tuple(self.cardinalities[v] for v in variables)
        keys = np.ravel_multi_index(tuple(self.states[:, v] for v in variables), shape)
        counts: Floats = np.bincount(
            keys, weights=self.weight, minlength=int(np.prod(shape))
        ).astype(float)
        return counts.reshape(shape)

    def marginals(self) -> list[Floats]:
        """Estimated posterior of every variable."""
        return [self.marginal(v) for v in range(len(self.cardinalities))]
