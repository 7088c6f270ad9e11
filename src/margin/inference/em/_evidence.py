"""The bound of expectation maximisation, taken apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference.em._assignments import Soft


class EvidenceParts(NamedTuple):
    r"""The parts of :math:`\log p(x) = L(q) + \mathrm{KL}(q, p(h \mid x))`, a value for each row.

    Parameters
    ----------
    log_evidence : ndarray of shape (n,)
        :math:`\log p(x)`.
    bound : ndarray of shape (n,)
        :math:`L(q)`, energy plus entropy.
    divergence : ndarray of shape (n,)
        :math:`\langle\log q - \log p(h \mid x)\rangle_q`, never negative; 0 after an exact E step.
    energy : ndarray of shape (n,)
        :math:`\langle\log p(x, h)\rangle_q`.
    entropy : ndarray of shape (n,)
        :math:`-\langle\log q\rangle_q`.
    """

    log_evidence: Floats
    bound: Floats
    divergence: Floats
    energy: Floats
    entropy: Floats

    @property
    def gap(self) -> float:
        """Largest deviation from evidence = bound + divergence: an audit, zero up to rounding."""
        with np.errstate(invalid="ignore"):
            apart = np.abs(self.log_evidence - self.bound - self.divergence)
        return float(np.nanmax(apart, initial=0.0))


def evidence_parts(log_joint: ArrayLike, share: ArrayLike) -> EvidenceParts:
    r"""The evidence as bound and divergence, each computed by itself (inference.29).

    .. math:: \log p(x) = \underbrace{\langle\log p(x, h)\rangle_q + H(q)}_{L(q)}
              + \langle\log q(h) - \log p(h \mid x)\rangle_q

    Parameters
    ----------
    log_joint : array-like of shape (n, k)
        :math:`\log p(x_i, h)` for every row and every hidden cause.
    share : array-like of shape (n, k)
        :math:`q_i(h)`, rows that sum to one.

    Returns
    -------
    EvidenceParts

    Examples
    --------
    >>> import numpy as np
    >>> parts = evidence_parts(np.log([[0.1, 0.3]]), [[0.5, 0.5]])
    >>> [float(part[0].round(4)) for part in parts[:3]]
    [-0.9163, -1.0601, 0.1438]
    >>> parts.gap < 1e-15
    True
    """
    table = np.asarray(log_joint, dtype=np.float64)
    q = np.asarray(share, dtype=np.float64)
    if q.shape != table.shape or q.ndim != 2:
        raise check.fail("evidence_parts", "share", f"of shape {table.shape}", f"shape {q.shape}")
    if (q < 0).any() or np.abs(q.sum(axis=1) - 1).max(initial=0.0) > 1e-6:
        raise check.fail("evidence_parts", "share", "rows of probabilities", q)
    posterior, log_evidence = Soft()(table)
    used = q > 0
    with np.errstate(divide="ignore"):
        log_q = np.log(np.where(used, q, 1.0))
        # Not from the evidence: an audit by the same sum would find nothing.
        log_posterior = np.where(used, np.log(posterior), 0.0)
    energy = (q * np.where(used, table, 0.0)).sum(axis=1)
    entropy = -(q * log_q).sum(axis=1)
    divergence = (q * (log_q - log_posterior)).sum(axis=1)
    return EvidenceParts(log_evidence, energy + entropy, divergence, energy, entropy)
