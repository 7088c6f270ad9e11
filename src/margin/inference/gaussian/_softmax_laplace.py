"""Laplace approximation of latent values of several classes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import lapack
from scipy.special import log_softmax, softmax

from margin.core import Iterate, iterate
from margin.core.types import Floats, Places
from margin.inference.gaussian._inner import settled
from margin.inference.gaussian._laplace import SHORTEST, STOP, rises, stretched
from margin.linalg import Cholesky, kernel_cholesky, mirrored


@dataclass(frozen=True, eq=False)
class Curvature:
    r"""The curvature of the softmax likelihood against the prior.

    It couples the classes: :math:`W = \operatorname{diag}(\pi) - \Pi\Pi^\top`. With
    :math:`E_c = \pi_c^{1/2} (I + \pi_c^{1/2} K \pi_c^{1/2})^{-1} \pi_c^{1/2}` and
    :math:`S = \sum_c E_c`, the block :math:`(c, c')` of :math:`M = (K + W^{-1})^{-1}` is
    :math:`\delta_{cc'} E_c - E_c S^{-1} E_{c'}`: one factorisation per class and one more.

    Parameters
    ----------
    E : ndarray of shape (C, n, n)
    total : Cholesky
        Factor of :math:`S`.
    log_det : float
        :math:`\log\det (I + KW)`.
    """

    E: Floats
    total: Cholesky
    log_det: float

    @classmethod
    def at(cls, K: Floats, prob: Floats, what: Any) -> "Curvature":
        """The curvature at class probabilities of shape (n, C)."""
        n, classes = prob.shape
        E = np.empty((classes, n, n))
        log_det = 0.0
        for c in range(classes):
            root = np.sqrt(prob[:, c])
            B = kernel_cholesky(stretched(K, root), what, clean=False)
            log_det += B.log_det
            inverse, _ = lapack.dpotri(B.lower, lower=1, overwrite_c=1)
            E[c] = mirrored(inverse) * root * root[:, None]
        total = kernel_cholesky(E.sum(axis=0), what)
        return cls(E, total, log_det + total.log_det)

    def weigh(self, V: Floats) -> Floats:
        """The matrix :math:`M` times one column per class."""
        each = np.stack([self.E[c] @ V[:, c] for c in range(V.shape[1])], axis=1)
        common = self.total.solve(each.sum(axis=1))
        shared = np.stack([self.E[c] @ common for c in range(V.shape[1])], axis=1)
        return np.asarray(each - shared)


@dataclass(frozen=True, eq=False)
class SoftmaxMode:
    r"""The most probable latent values, one column per class, and the curvature there.

    Parameters
    ----------
    f, dual, prob : ndarray of shape (n, C)
        Latent values :math:`f = K a`, :math:`a`, and class probabilities.
    curvature : Curvature
    objective : float
        :math:`\log p(y \mid f) - \tfrac12 \sum_c f_c^\top K^{-1} f_c`.
    trace : tuple of float
        Its values on the way up.
    """

    f: Floats
    dual: Floats
    prob: Floats
    curvature: Curvature
    objective: float
    trace: tuple[float, ...]

    @property
    def log_evidence(self) -> float:
        """Approximate log marginal likelihood."""
        return self.objective - 0.5 * self.curvature.log_det

    def prior_weight(self, K: Floats) -> Floats:
        r"""Matrix :math:`G` with :math:`\operatorname{tr}(G\, dK)` the change of the evidence.

        An explicit part, and one through the moving mode: the log determinant changes with the
        latent values by :math:`-\tfrac12 \operatorname{tr}(\Sigma\, dW)`; :math:`dW` are the
        third cumulants of the class indicators and :math:`\Sigma = K - KMK` is needed within each
        row only.
        """
        E, total = self.curvature.E, self.curvature.total
        classes = len(E)
        halves = np.stack([total.half_solve(E[c] @ K) for c in range(classes)])
        own = np.stack(
            [np.diagonal(K) - np.einsum("ij,ji->i", K @ E[c], K) for c in range(classes)]
        )
        cov = np.einsum("cij,dij->jcd", halves, halves)
        cov[:, np.arange(classes), np.arange(classes)] += own.T
        p = self.prob
        against = np.einsum("icd,id->ic", cov, p)
        diagonal = np.einsum("icc->ic", cov)
        # sum over c, d of cov_cd times the third cumulant of the indicators of c, d and k
        spread = np.sum(p * diagonal, axis=1, keepdims=True)
        double = np.sum(p * against, axis=1, keepdims=True)
        third = p * (diagonal - spread) - 2.0 * p * (against - double)
        s = -0.5 * third
        u = s - self.curvature.weigh(K @ s)
        outer = self.dual @ (0.5 * self.dual + u).T
        weight = 0.5 * (outer + outer.T)
        for c in range(classes):
            half = total.half_solve(E[c])
            weight -= 0.5 * (E[c] - half.T @ half)
        return np.asarray(weight)


def softmax_laplace(
    K: Floats, codes: Places, classes: int, what: Any = "the kernel"
) -> SoftmaxMode:
    r"""Normal approximation at the mode of one latent function per class (gp.12).

    The functions are :math:`N(0, K)` each, and the label of a row has the probabilities
    :math:`\operatorname{softmax}(f_i)`. Newton's method; steps are halved until the objective
    does not fall.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Covariance of the prior, the same for all classes.
    codes : ndarray of int of shape (n,)
        Class of every row.
    classes : int
        How many there are.
    what : object
        Names the prior in messages.

    Returns
    -------
    SoftmaxMode

    Examples
    --------
    >>> import numpy as np
    >>> mode = softmax_laplace(np.eye(2), np.array([0, 1]), 2)
    >>> bool(np.allclose(mode.f, np.eye(2) - mode.prob))
    True
    """
    search = iterate(_newton(K, codes, classes, what), STOP, solver="Newton")
    a = settled(search, f"the mode of {what} was not found: residual")
    f = K @ a
    prob = softmax(f, axis=1)
    rise = tuple((-search.trace["objective"]).tolist())
    return SoftmaxMode(f, a, prob, Curvature.at(K, prob, what), -search.objective, rise)


def _newton(K: Floats, codes: Places, classes: int, what: Any) -> Iterator[Iterate]:
    wanted, own = np.eye(classes)[codes], (np.arange(len(codes)), codes)
    f = a = np.zeros(wanted.shape)
    value = float(log_softmax(f, axis=1)[own].sum())
    for n in count():
        prob = softmax(f, axis=1)
        yield Iterate(a, -value, float(np.abs(wanted - prob - a).max()), n)
        b = prob * f - prob * np.sum(prob * f, axis=1, keepdims=True) + wanted - prob
        target = b - Curvature.at(K, prob, what).weigh(K @ b)
        length = 1.0
        while True:
            there = a + length * (target - a)
            f = K @ there
            reached = log_softmax(f, axis=1)[own].sum()
            reached = float(reached - 0.5 * np.sum(there * f))
            if rises(reached, value) or length < SHORTEST:
                break
            length *= 0.5
        a, value = there, reached
