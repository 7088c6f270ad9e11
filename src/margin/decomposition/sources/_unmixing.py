"""Rotations of white data to independent components."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin import linalg
from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats
from margin.decomposition.sources._contrasts import Derivative

_ADVICE = (
    "raise tol: FastICA did not converge. Consider increasing tolerance or the maximum number of "
    "iterations.",
)


_PATIENCE = 100  # iterations before steps are damped


@dataclass(frozen=True)
class Rules:
    """When a search for components ends."""

    tol: float
    max_iter: int

    def stop(self, kind: str) -> Stop:
        """The rules in the words of the driver."""
        return Stop(kind, self.tol, self.max_iter, keep="last", advice=_ADVICE)


def parallel(Z: Floats, g: Derivative, start: Floats, rules: Rules) -> Solution:
    r"""All components at once by fixed-point iterations (decomposition.16).

    .. math:: W \leftarrow (W W^\top)^{-1/2} W, \qquad
              w_k \leftarrow E[z\, g(w_k^\top z)] - E[g'(w_k^\top z)]\, w_k

    Ends when no row turns by more than ``tol``: :math:`\max_k |1 - |w_k^\top w_k^{old}||`.

    Parameters
    ----------
    Z : ndarray of shape (k, n)
        White rows.
    g : callable
        See :mod:`margin.decomposition.sources._contrasts`.
    start : ndarray of shape (k, k)
    rules : Rules

    Notes
    -----
    :math:`O(n k^2)` an iteration.
    """
    return iterate(_turns(Z, g, start), rules.stop("turn of a direction"), solver="fixed point")


def _turns(Z: Floats, g: Derivative, start: Floats) -> Iterator[Iterate]:
    W, n = symmetric_decorrelation(start), Z.shape[1]
    yield Iterate(W, 1.0, None, 0)
    count = 0
    while True:
        count += 1
        value, slope = g(W @ Z)
        new = symmetric_decorrelation(value @ Z.T / n - slope[:, None] * W)
        if count > _PATIENCE:
            # Steps that go round in circles meet in the middle.
            signs = np.where(np.einsum("ij,ij->i", new, W) < 0, -1.0, 1.0)
            new = symmetric_decorrelation(W + signs[:, None] * new)
        turn = float(np.abs(1.0 - np.abs(np.einsum("ij,ij->i", new, W))).max())
        W = new
        yield Iterate(W, turn, turn, count)


def symmetric_decorrelation(W: Floats) -> Floats:
    """The nearest orthogonal matrix: rows that share what they have in common.

    Examples
    --------
    >>> symmetric_decorrelation(np.diag([2.0, 3.0]))
    array([[1., 0.],
           [0., 1.]])
    """
    left, _, right = linalg.svd(W)
    return left @ right


def deflation(Z: Floats, g: Derivative, start: Floats, rules: Rules) -> Solution:
    """Components one after the other, each orthogonal to those before (decomposition.16)."""
    directions = np.zeros_like(start)
    parts = []
    for j in range(len(start)):
        states = _single(Z, g, start[j], directions[:j])
        parts.append(iterate(states, rules.stop("turn of a direction"), solver="deflation"))
        directions[j] = parts[-1].x
    return Solution.merge(parts, parts="components", objective="mean")


def _single(Z: Floats, g: Derivative, w: Floats, before: Floats) -> Iterator[Iterate]:
    w, n = _apart(w, before), Z.shape[1]
    yield Iterate(w, 1.0, None, 0)
    count = 0
    while True:
        count += 1
        value, slope = g((w @ Z)[None])
        new = _apart(Z @ value[0] / n - slope[0] * w, before)
        turn = float(abs(1.0 - abs(new @ w)))
        w = new
        yield Iterate(w, turn, turn, count)


def _apart(w: Floats, before: Floats) -> Floats:
    """A unit vector without what lies in the span of the rows before."""
    for _ in range(2):  # once more for what rounding left
        w = w - before.T @ (before @ w)
        length = float(np.linalg.norm(w))
        if length < 1e-150:
            w = np.zeros_like(w)
            gap = 1.0 - np.einsum("ij,ij->j", before, before)
            w[int(np.argmax(gap))] = 1.0
            continue
        w = w / length
    return w


def infomax(Z: Floats, start: Floats, rules: Rules) -> Solution:
    r"""Maximum likelihood of independent sources by relative Newton steps (decomposition.16).

    .. math:: \ell(W) = \log |\det W| + \sum_k E[\log p_k(w_k^\top z)], \qquad
              -\log p_k(s) = 2 \log \cosh(s / 2) \text{ or } s^2/2 - \log \cosh s

    The density of each source is chosen by the sign of :math:`E[s \tanh s] - E[1 - \tanh^2 s]`, as
    in extended infomax; the step divides the relative gradient by a block-diagonal Hessian, halved
    until the likelihood rises. Ends when the largest entry of the gradient is below ``tol``.

    Notes
    -----
    :math:`O(n k^2)` an iteration. On white data, ``W`` need not be orthogonal.
    """
    return iterate(_climb(Z, start), rules.stop("gradient of the likelihood"), solver="infomax")


def _climb(Z: Floats, start: Floats) -> Iterator[Iterate]:
    W = symmetric_decorrelation(start)
    S = W @ Z
    heavy = np.ones(len(W), dtype=bool)
    count = 0
    repairs: tuple[str, ...] = ()
    loss = _loss(W, S, heavy)
    while True:
        t = np.tanh(S)
        kinds = np.mean(1.0 - t * t, axis=1) * np.mean(S * S, axis=1) - np.mean(S * t, axis=1) > 0
        if (kinds != heavy).any():
            heavy, loss = kinds, _loss(W, S, kinds)
            repairs = (*repairs, f"densities chosen anew after {count} iterations")
        psi = np.where(heavy[:, None], t, S - t)
        slope = np.where(heavy[:, None], 1.0 - t * t, t * t)
        gradient = psi @ S.T / Z.shape[1] - np.eye(len(W))
        size = float(np.abs(gradient).max())
        yield Iterate(W, loss, size, count, repairs=repairs)
        step = _newton(gradient, slope, S)
        count += 1
        for halving in range(30):
            new = W - 0.5**halving * step @ W
            sources = new @ Z
            value = _loss(new, sources, heavy)
            if value < loss:
                break
        else:
            yield Iterate(W, loss, size, count, stuck="no step raises the likelihood")
            return
        W, S, loss = new, sources, value


def _loss(W: Floats, S: Floats, heavy: Bools) -> float:
    """Minus the mean log-likelihood, up to a constant."""
    size = np.abs(S)
    log_cosh = size + np.log1p(np.exp(-2.0 * size)) - np.log(2.0)
    cost = np.where(heavy[:, None], log_cosh, 0.5 * S * S - log_cosh)
    return float(cost.mean(axis=1).sum() - np.linalg.slogdet(W)[1])


def _newton(gradient: Floats, slope: Floats, S: Floats) -> Floats:
    """The gradient over a Hessian of blocks of two, whose smallest eigenvalue is held up."""
    curve = slope @ (S * S).T / S.shape[1]
    middle = 0.5 * (curve + curve.T)
    spread = np.sqrt((0.5 * (curve - curve.T)) ** 2 + 1.0)
    lift = np.maximum(0.0, 1e-2 - (middle - spread))
    curve = curve + lift
    determinant = curve * curve.T - 1.0
    np.fill_diagonal(determinant, 1.0)
    step: Floats = (curve.T * gradient - gradient.T) / determinant
    np.fill_diagonal(step, np.diag(gradient) / (1.0 + np.diag(curve)))
    return step
