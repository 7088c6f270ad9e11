"""The law of partitions that a Dirichlet process induces."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats, Indices


@dataclass(frozen=True)
class ChineseRestaurantProcess:
    r"""Customers join a table in proportion to its size, or open one (mixture.12).

    .. math:: p(\text{table } k) = \frac{n_k}{\alpha + n}, \qquad
              p(\text{new}) = \frac{\alpha}{\alpha + n}, \qquad
              p(\text{partition}) = \alpha^K \frac{\prod_k (n_k - 1)!}
                                    {\prod_{i<n} (\alpha + i)}

    Parameters
    ----------
    alpha : float
        Concentration :math:`\alpha > 0`: the larger, the more tables.

    Examples
    --------
    >>> law = ChineseRestaurantProcess(1.0)
    >>> [round(float(np.exp(law.log_prob(z))), 4) for z in ([0, 0, 0], [0, 0, 1], [0, 1, 2])]
    [0.3333, 0.1667, 0.1667]
    >>> round(law.expected_tables(10), 8)
    2.92896825
    """

    alpha: float

    def __post_init__(self) -> None:
        check.params(self, positive="alpha")

    def sample(self, n: int, rng: Any = None) -> Indices:
        """Tables of ``n`` customers, numbered from 0 as they open.

        Every customer but those who open a table follows one who came before, each as likely.
        """
        rng = generator(rng)
        came = np.arange(n)
        opens = rng.random(n) * (self.alpha + came) < self.alpha
        opens[:1] = True
        follows = np.minimum((rng.random(n) * came).astype(np.int64), np.maximum(came - 1, 0))
        tables = np.where(opens, np.cumsum(opens) - 1, 0)
        for i in np.flatnonzero(~opens):
            tables[i] = tables[follows[i]]
        return tables

    def log_prob(self, labels: ArrayLike) -> float:
        """Log probability of the partition that the labels make; their names do not matter."""
        labels = np.asarray(labels)
        if labels.ndim != 1:
            raise check.fail(self, "labels", "one-dimensional", f"shape {labels.shape}")
        return self.log_prob_sizes(np.unique(labels, return_counts=True)[1])

    def log_prob_sizes(self, sizes: ArrayLike) -> float:
        """Log probability of one partition with clusters of these sizes."""
        sizes = np.asarray(sizes, dtype=np.float64)
        value = len(sizes) * np.log(self.alpha) + gammaln(sizes).sum()
        return float(value - gammaln(self.alpha + sizes.sum()) + gammaln(self.alpha))

    def expected_tables(self, n: int) -> float:
        r"""Expected number of tables, :math:`\sum_{i=0}^{n-1} \alpha/(\alpha + i)`."""
        return float((self.alpha / (self.alpha + np.arange(n))).sum())

    def table_probabilities(self, n: int) -> Floats:
        r"""Probability of 0, 1, …, ``n`` tables.

        A sum of independent events, customer ``i`` opening one; of cost :math:`O(n^2)`.
        """
        law = np.zeros(n + 1)
        law[0] = 1.0
        for i in range(n):
            opens = self.alpha / (self.alpha + i)
            law[1 : i + 2] = law[1 : i + 2] * (1 - opens) + law[: i + 1] * opens
            law[0] *= 1 - opens
        return law
