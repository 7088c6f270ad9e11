"""Step M of learning a linear dynamical system: two regressions and a first state."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.inference import Repaired
from margin.linalg import cholesky
from margin.sequence.state_space._expectation import RegressionMoments, SystemMoments
from margin.sequence.state_space._parameters import SystemParameters, split_map

_LEAST = 1e-10


@dataclass(frozen=True, eq=False)
class Constraints:
    """What is known beforehand.

    Parameters
    ----------
    fixed : mapping of str to ndarray
        Parameters that are held, by their letter.
    state_noise, output_noise : {"full", "diagonal", "spherical"}
    state_bias : bool
        Whether the state has a bias of its own.
    floor : float
        Least variance of a noise.
    """

    fixed: Mapping[str, Floats]
    state_noise: str
    output_noise: str
    state_bias: bool
    floor: float


def maximised(
    moments: SystemMoments, at: SystemParameters, rules: Constraints
) -> SystemParameters | Repaired[SystemParameters]:
    """The parameters of largest expected likelihood under the constraints."""
    n = len(at.A)
    held = dict(rules.fixed)
    if not rules.state_bias:
        held.setdefault("b", np.zeros(n))
    W = _regression(moments.states, at.state_map, held, "ABb", n)
    V = _regression(moments.outputs, at.output_map, held, "CDd", n)
    A, B, b = split_map(W, n)
    C, D, d = split_map(V, n)
    repairs: list[str] = []
    Q = held.get("Q")
    if Q is None:
        Q = _noise(moments.states, W, rules.state_noise, rules.floor, at.Q, "states", repairs)
    R = held.get("R")
    if R is None:
        R = _noise(moments.outputs, V, rules.output_noise, rules.floor, at.R, "outputs", repairs)
    mean, cov = _first(moments, at, held)
    new = SystemParameters(A, B, b, C, D, d, Q, R, mean, cov)
    return Repaired(new, tuple(repairs)) if repairs else new


def _regression(
    moments: RegressionMoments, now: Floats, held: Mapping[str, Floats], letters: str, n: int
) -> Floats:
    """The map of least expected squares, with some of its blocks held."""
    width = now.shape[1]
    places = (slice(0, n), slice(n, width - 1), slice(width - 1, width))
    W, free = now.copy(), np.ones(width, dtype=bool)
    for letter, place in zip(letters, places, strict=True):
        if letter in held:
            W[:, place] = held[letter].reshape(len(W), -1)
            free[place] = False
    if not free.any() or moments.count == 0:
        return W
    left = moments.yz[:, free] - W[:, ~free] @ moments.zz[np.ix_(~free, free)]
    W[:, free] = cholesky(moments.zz[np.ix_(free, free)], name="moments").solve(left.T).T
    return W


def _noise(
    moments: RegressionMoments,
    W: Floats,
    kind: str,
    floor: float,
    now: Floats,
    what: str,
    repairs: list[str],
) -> Floats:
    """Covariance of what the map leaves, of the shape asked for and definite."""
    if moments.count == 0:
        return now
    cross = W @ moments.yz.T
    S = (moments.yy - cross - cross.T + W @ moments.zz @ W.T) / moments.count
    S = (S + S.T) / 2
    if kind == "spherical":
        return np.eye(len(S)) * max(float(np.trace(S)) / len(S), floor)
    if kind == "diagonal":
        return np.diag(np.maximum(np.diagonal(S), floor))
    values, vectors = np.linalg.eigh(S)
    least = max(floor, _LEAST * float(values[-1]))
    if values[0] >= least:
        return np.asarray(S)
    text = f"raised variances of the noise of {what} to {least:.3g}"
    repairs.append(text)
    return np.asarray((vectors * np.maximum(values, least)) @ vectors.T)


def _first(
    moments: SystemMoments, at: SystemParameters, held: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Law of the first state; its covariance is learned where sequences outnumber its entries."""
    X = moments.first_mean
    mean = held.get("mean")
    mean = X.mean(axis=0) if mean is None else mean
    cov = held.get("cov")
    if cov is None:
        cov = at.cov
        if len(X) > X.shape[1]:
            gap = X - mean
            cov = moments.first_cov.mean(axis=0) + gap.T @ gap / len(X)
            cov = (cov + cov.T) / 2
    return mean, cov
