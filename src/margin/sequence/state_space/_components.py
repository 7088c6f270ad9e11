"""Parts of a structural time series, as blocks of a linear system."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag

from margin.core.types import Floats
from margin.inference import LinearSystem


class Component(NamedTuple):
    """A block of states.

    Parameters
    ----------
    name : str
    A : ndarray of shape (k, k)
    c : ndarray of shape (k,)
        How much of each state is seen.
    noisy : tuple of (str, tuple of int)
        Noises by name, each with the states that it moves.
    """

    name: str
    A: Floats
    c: Floats
    noisy: tuple[tuple[str, tuple[int, ...]], ...]


def level(stochastic: bool) -> Component:
    """A level that stays, or walks at random."""
    noise = (("level", (0,)),) if stochastic else ()
    return Component("level", np.eye(1), np.ones(1), noise)


def trend(stochastic_level: bool) -> Component:
    """A level with a slope that walks at random."""
    noise = (("level", (0,)),) if stochastic_level else ()
    A = np.array([[1.0, 1.0], [0.0, 1.0]])
    return Component("trend", A, np.array([1.0, 0.0]), (*noise, ("trend", (1,))))


def seasonal(period: int) -> Component:
    """Effects of the seasons that sum to zero but for noise."""
    k = period - 1
    A = np.zeros((k, k))
    A[0], A[np.arange(1, k), np.arange(k - 1)] = -1.0, 1.0
    return Component("seasonal", A, np.eye(k)[0], (("seasonal", (0,)),))


@dataclass(frozen=True, eq=False)
class StructuralDesign:
    """All components and the number of regressors.

    Parameters
    ----------
    components : tuple of Component
    n_inputs : int
        Columns of known regressors, whose coefficients are states that stay.
    """

    components: tuple[Component, ...]
    n_inputs: int

    @property
    def noises(self) -> tuple[str, ...]:
        """Names of the variances to be learned, that of the irregular part last."""
        return (*(name for c in self.components for name, _ in c.noisy), "irregular")

    @property
    def places(self) -> dict[str, slice]:
        """Where the states of every component lie."""
        places, at = {}, 0
        for part in self.components:
            places[part.name] = slice(at, at + len(part.c))
            at += len(part.c)
        places["regression"] = slice(at, at + self.n_inputs)
        return places

    def noise_states(self) -> list[tuple[int, ...]]:
        """States that every noise moves, without the irregular part."""
        states, at = [], 0
        for part in self.components:
            states += [tuple(at + i for i in which) for _, which in part.noisy]
            at += len(part.c)
        return states

    def system(self, variances: Floats, U: Floats) -> LinearSystem:
        """The system with these variances, in the order of ``noises``, and rows of inputs."""
        blocks = [part.A for part in self.components]
        A = block_diag(*blocks, np.eye(self.n_inputs)) if self.n_inputs else block_diag(*blocks)
        Q = np.zeros_like(A)
        for variance, states in zip(variances[:-1], self.noise_states(), strict=True):
            Q[states, states] = variance
        c = np.concatenate([part.c for part in self.components])
        C: Floats = c[None]
        if self.n_inputs:
            C = np.hstack([np.tile(c, (len(U), 1)), U])[:, None, :]
        R = np.array([[variances[-1]]])
        return LinearSystem(A, C, Q, R, diffuse=np.eye(len(A)))
