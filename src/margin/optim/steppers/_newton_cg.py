"""Newton's method without the matrix."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.optim._line_search import armijo
from margin.optim._problem import Expansion, Problem
from margin.optim._solver import Precondition, Solver, State
from margin.optim.steppers._lbfgs import Pairs

_LOOSEST = 0.3
_PAIRS = 10
_NEAR = 0.5  # a gradient that shrinks this much: the next Hessian will be like this one


@dataclass(frozen=True)
class NewtonCG(Solver):
    r"""Newton steps whose linear system is solved inexactly by conjugate gradients.

    The system :math:`H d = -g` is solved to a relative residual that shrinks with the square of
    the decrease of the gradient (Eisenstat and Walker), and never further than ``tol`` asks, so
    early steps are cheap and late ones superlinear. Only products with the Hessian are needed.
    Near the minimum, where the Hessian hardly changes, directions and images of one system
    precondition the next, as pairs of L-BFGS.

    Parameters
    ----------
    tol : float
        Largest entry of the gradient that counts as zero.
    max_iter : int
        Most outer steps to make.
    max_inner : int
        Most conjugate-gradient iterations per step.
    precondition : callable, optional
        Product with a symmetric positive definite approximation of the inverse Hessian.

    References
    ----------
    J. L. Morales and J. Nocedal, "Automatic preconditioning by limited memory quasi-Newton
    updating", SIAM Journal on Optimization 10, 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, minimise
    >>> A = np.diag([1.0, 10.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x, A @ x), 2, hessian=lambda x: A)
    >>> minimise(bowl, NewtonCG(tol=1e-10), x0=np.ones(2)).status.value
    'converged'
    """

    tol: float = 1e-8
    max_iter: int = 200
    max_inner: int = 250
    precondition: Precondition | None = None
    requires: ClassVar[frozenset[str]] = frozenset({"gradient", "hessian_product"})

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter max_inner")

    def init(self, problem: Problem, x: Floats) -> State:
        return State(x, problem.expand(x, second_order=True), memory=(_LOOSEST, Pairs()))

    def step(self, problem: Problem, state: State) -> State:
        direction, pairs = self._direction(state.local, *state.memory)
        taken = armijo(problem, state.x, state.local, direction, second_order=True)
        if taken is None:
            return replace(state, stuck="the line search found no lower point")
        shrunk = np.abs(taken.local.gradient).max() / np.abs(state.local.gradient).max()
        return replace(
            state,
            x=taken.x,
            local=taken.local,
            step_length=taken.length,
            memory=(
                min(_LOOSEST, 0.9 * float(shrunk) ** 2),
                pairs if shrunk < _NEAR else Pairs(),
            ),
        )

    def _direction(self, local: Expansion, forcing: float, known: Pairs) -> tuple[Floats, Pairs]:
        """Step, and the directions with their images from which the next one learns."""
        assert local.hessian_product is not None
        residual = -local.gradient
        goal = max(forcing * float(np.abs(residual).max()), 0.5 * self.tol)
        direction = np.zeros_like(residual)
        search = known.times(residual, self.precondition)
        square = float(residual @ search)
        seen: list[tuple[Floats, Floats]] = []
        for _ in range(self.max_inner):
            image = local.hessian_product(search)
            bend = float(search @ image)
            if bend <= 1e-14 * float(search @ search):
                # Flat or concave along `search`: what is found so far descends.
                return direction if direction.any() else search, known
            seen.append((search, image))
            length = square / bend
            direction += length * search
            residual -= length * image
            if float(np.abs(residual).max()) <= goal:
                break
            improved = known.times(residual, self.precondition)
            fresh = float(residual @ improved)
            search = improved + fresh / square * search
            square = fresh
        return direction, _spread(seen)


def _spread(seen: list[tuple[Floats, Floats]]) -> Pairs:
    """Pairs from the whole of a search: late directions alone would know little of the space."""
    pairs = Pairs()
    for k in np.unique(np.linspace(0, len(seen) - 1, _PAIRS).astype(int)):
        direction, image = seen[k]
        pairs = pairs.push(direction, image, _PAIRS)
    return pairs
