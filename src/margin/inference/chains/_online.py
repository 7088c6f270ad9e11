"""A hidden chain followed step by step."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference.chains._arguments import integer


@dataclass(frozen=True)
class ChainFilter:
    r"""What is known of a hidden state now; ``predict`` and ``correct`` give the next belief.

    .. math:: p(h_t \mid v_{1:t-1}) = \sum_{h_{t-1}} p(h_t \mid h_{t-1})\,
              p(h_{t-1} \mid v_{1:t-1}), \qquad
              p(h_t \mid v_{1:t}) \propto p(v_t \mid h_t)\, p(h_t \mid v_{1:t-1})

    A frozen value: every step makes a new one (sequence.07).

    Parameters
    ----------
    state : ndarray of shape (K,)
        Belief about the state.
    transition : ndarray of shape (K, K)
    log_likelihood : float
        Of all that was seen.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> now = ChainFilter(np.array([0.6, 0.4]), A).correct(np.log(B[:, 0]))
    >>> now.state.round(6)
    array([0.870968, 0.129032])
    >>> now.predict().correct(np.log(B[:, 0])).state.round(6)
    array([0.89781, 0.10219])
    """

    state: Floats
    transition: Floats
    log_likelihood: float = 0.0

    def predict(self, steps: int = 1) -> Self:
        """The belief so many steps later, nothing seen in between."""
        size = integer(self, "steps", steps, 0)
        after = self.state @ np.linalg.matrix_power(self.transition, size)
        return replace(self, state=after)

    def correct(self, log_emission: ArrayLike) -> Self:
        """The belief after an observation of this log likelihood in each state."""
        seen = np.asarray(log_emission, dtype=np.float64)
        if seen.shape != np.shape(self.state) or not seen.max(initial=-np.inf) < np.inf:
            wanted = f"{len(self.state)} numbers below infinity"
            raise check.fail(self, "log_emission", wanted, log_emission)
        reachable = self.state > 0
        top = float(seen[reachable].max(initial=-np.inf))
        if top == -np.inf:
            raise check.fail(self, "log_emission", "possible in a state that can be reached", seen)
        joint = self.state * np.exp(
            np.minimum(seen - top, 0.0), where=reachable, out=np.zeros(len(seen))
        )
        total = float(joint.sum())
        value = self.log_likelihood + top + float(np.log(total))
        return replace(self, state=joint / total, log_likelihood=value)
