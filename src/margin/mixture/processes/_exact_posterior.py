"""The posterior over all partitions of a few rows."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from margin.core import check
from margin.core.types import Floats, Indices
from margin.mixture.processes._bases import base_of
from margin.mixture.processes._chinese_restaurant import ChineseRestaurantProcess
from margin.mixture.processes._exchangeability import set_partitions

_MOST = 10  # 115 975 partitions


class PartitionPosterior(NamedTuple):
    """Every partition and its probability.

    Parameters
    ----------
    labels : ndarray of shape (n_partitions, n)
        Partitions, clusters numbered in the order of their first rows.
    probabilities : ndarray of shape (n_partitions,)
        Their posterior probabilities.
    log_evidence : float
        Log probability of the rows.
    """

    labels: Indices
    probabilities: Floats
    log_evidence: float

    @property
    def n_components(self) -> Floats:
        """Probability of 0, 1, … clusters."""
        law = np.zeros(self.labels.shape[1] + 1)
        np.add.at(law, self.labels.max(axis=1) + 1, self.probabilities)
        return law

    @property
    def co_clustering(self) -> Floats:
        """Probability that two rows share a cluster, of shape (n, n)."""
        same = self.labels[:, :, None] == self.labels[:, None, :]
        return np.asarray(np.einsum("p,pij->ij", self.probabilities, same))


def exact_partition_posterior(X: Any, base_prior: Any, alpha: float) -> PartitionPosterior:
    r"""Posterior of a Dirichlet-process mixture over all partitions of at most ten rows.

    .. math:: p(z \mid x) \propto \alpha^K \prod_k (n_k - 1)! \; p(x_{z = k})

    What samplers are held against (mixture.17). A label that two rows share is drawn from ever
    more partitions: of ten rows there are 115 975.

    Parameters
    ----------
    X : array-like of shape (n, d)
    base_prior : belief or list of beliefs
        As for :class:`DirichletProcessMixture`.
    alpha : float
        Concentration.

    Examples
    --------
    >>> from margin.distributions import NormalMean
    >>> exact = exact_partition_posterior([[-1.0], [0.0], [5.0]], NormalMean(0.0, 3.0, 1.0), 1.0)
    >>> exact.probabilities.round(8)
    array([4.5241000e-04, 6.4657809e-01, 2.9356000e-04, 3.8802700e-03,
           3.4879567e-01])
    """
    owner = "exact_partition_posterior"
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or not 1 <= len(rows) <= _MOST:
        raise check.fail(owner, "X", f"a table of 1 to {_MOST} rows", f"shape {rows.shape}")
    base, law = base_of(owner, base_prior, rows), ChineseRestaurantProcess(alpha)
    if base.completed(rows)[1] is not None:
        raise check.fail(owner, "X", "without NaN where covariances are full", "NaN")
    labels = np.array(list(set_partitions(len(rows))))
    log_joint = np.array(
        [base.sweeps(rows, z.astype(np.int32), 0.0, 0, 0, 0)[1] + law.log_prob(z) for z in labels]
    )
    log_evidence = float(logsumexp(log_joint))
    return PartitionPosterior(labels, np.exp(log_joint - log_evidence), log_evidence)
