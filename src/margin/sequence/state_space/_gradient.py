"""Maximum likelihood of a linear dynamical system by its gradient."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Solution
from margin.core.types import Floats
from margin.linalg import cholesky
from margin.optim import LBFGS, Function, minimise
from margin.sequence.state_space._expectation import (
    RegressionMoments,
    SequenceData,
    expected_moments,
)
from margin.sequence.state_space._maximisation import Constraints
from margin.sequence.state_space._parameters import SystemParameters

_MAPS = ("A", "B", "b", "C", "D", "d", "mean")


@dataclass(frozen=True, eq=False)
class Packing:
    """Free parameters as one vector: maps as they are, noise by the factor of its covariance.

    Parameters
    ----------
    start : SystemParameters
        Where shapes and what is held come from.
    rules : Constraints
    """

    start: SystemParameters
    rules: Constraints

    @property
    def free(self) -> tuple[str, ...]:
        """Letters of the maps that are searched for."""
        held = set(self.rules.fixed) | (set() if self.rules.state_bias else {"b"})
        return tuple(name for name in _MAPS if name not in held)

    def noises(self) -> Iterator[tuple[str, str]]:
        """Letters and shapes of the covariances that are searched for."""
        kinds = {"Q": self.rules.state_noise, "R": self.rules.output_noise}
        yield from ((name, kind) for name, kind in kinds.items() if name not in self.rules.fixed)

    def pack(self, at: SystemParameters) -> Floats:
        """The vector of parameters."""
        parts = [getattr(at, name).ravel() for name in self.free]
        parts += [_root(getattr(at, name), kind) for name, kind in self.noises()]
        return np.concatenate(parts) if parts else np.empty(0)

    def unpack(self, x: Floats) -> SystemParameters:
        """The parameters of a vector."""
        parts: dict[str, Any] = {}
        for name in self.free:
            shape = getattr(self.start, name).shape
            size = int(np.prod(shape))
            parts[name], x = x[:size].reshape(shape), x[size:]
        for name, kind in self.noises():
            n = len(getattr(self.start, name))
            size = _size(n, kind)
            factor, x = _factor(x[:size], kind, n), x[size:]
            parts[name] = factor @ factor.T
        return replace(self.start, **parts)

    def slope(self, x: Floats, slopes: Mapping[str, Floats]) -> Floats:
        """Slopes by the vector, from those by parameters; covariances as if entries were free."""
        at = self.pack(self.unpack(x))
        parts = [slopes[name].ravel() for name in self.free]
        used = sum(map(len, parts))
        for name, kind in self.noises():
            n = len(getattr(self.start, name))
            size = _size(n, kind)
            parts.append(_factor_slope(at[used : used + size], kind, n, slopes[name]))
            used += size
        return np.concatenate(parts) if parts else np.empty(0)


def maximise_likelihood(
    data: SequenceData,
    start: SystemParameters,
    rules: Constraints,
    *,
    tol: float,
    max_iter: int,
) -> tuple[SystemParameters, Solution]:
    r"""Climb by L-BFGS; the slope is that of the expected likelihood, Fisher's identity.

    .. math:: \frac{\partial}{\partial\theta} \log p(y \mid \theta)
              = \frac{\partial}{\partial\theta} E[\log p(x, y \mid \theta)]
    """
    packing, count = Packing(start, rules), float(np.isfinite(data.Y).sum() or 1)

    def value(x: Floats) -> tuple[float, Floats]:
        at = packing.unpack(x)
        bound, moments = expected_moments(at, data)
        slopes = _map_slopes(moments.states, at.state_map, at.Q, "ABb", len(at.A))
        slopes |= {"Q": _noise_slope(moments.states, at.state_map, at.Q)}
        slopes |= _map_slopes(moments.outputs, at.output_map, at.R, "CDd", len(at.A))
        slopes |= {"R": _noise_slope(moments.outputs, at.output_map, at.R)}
        gap = (moments.first_mean - at.mean).sum(axis=0)
        slopes["mean"] = cholesky(at.cov, name="first state").solve(gap)
        return -bound / count, -packing.slope(x, slopes) / count

    x0 = packing.pack(start)
    problem = Function(value, len(x0))
    solution = minimise(problem, LBFGS(tol=tol, max_iter=max_iter), x0)
    return packing.unpack(solution.x), replace(solution, objective=solution.objective * count)


def _map_slopes(
    moments: RegressionMoments, W: Floats, S: Floats, letters: str, n: int
) -> dict[str, Floats]:
    slope = cholesky(S, name="noise").solve(moments.yz - W @ moments.zz)
    return {letters[0]: slope[:, :n], letters[1]: slope[:, n:-1], letters[2]: slope[:, -1]}


def _noise_slope(moments: RegressionMoments, W: Floats, S: Floats) -> Floats:
    cross = W @ moments.yz.T
    rest = moments.yy - cross - cross.T + W @ moments.zz @ W.T
    factor = cholesky(S, name="noise")
    half = factor.solve(rest)
    inverse = factor.solve(np.eye(len(S)))
    return np.asarray(0.5 * (factor.solve(half.T) - moments.count * inverse))


def _size(n: int, kind: str) -> int:
    return {"spherical": 1, "diagonal": n, "full": n * (n + 1) // 2}[kind]


def _root(S: Floats, kind: str) -> Floats:
    if kind == "spherical":
        return np.array([0.5 * np.log(np.trace(S) / len(S))])
    if kind == "diagonal":
        return np.asarray(0.5 * np.log(np.diagonal(S)))
    L = np.array(cholesky(S, name="noise").lower)
    L[np.diag_indices_from(L)] = np.log(np.diagonal(L))
    return np.asarray(L[np.tril_indices_from(L)])


def _factor(x: Floats, kind: str, n: int) -> Floats:
    if kind != "full":
        return np.eye(n) * np.exp(x)
    L = np.zeros((n, n))
    L[np.tril_indices(n)] = x
    L[np.diag_indices(n)] = np.exp(np.diagonal(L))
    return L


def _factor_slope(x: Floats, kind: str, n: int, slope: Floats) -> Floats:
    L = _factor(x, kind, n)
    by_factor = (slope + slope.T) @ L
    if kind == "spherical":
        return np.array([float(np.sum(by_factor * L))])
    if kind == "diagonal":
        return np.asarray(np.diagonal(by_factor) * np.diagonal(L))
    by_factor[np.diag_indices(n)] *= np.diagonal(L)
    return np.asarray(by_factor[np.tril_indices(n)])
