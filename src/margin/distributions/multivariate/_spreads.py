"""The spread of an array of normal vectors, in whichever form it was given."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Places
from margin.distributions._parameters import parameter
from margin.distributions.multivariate._diagonal_spread import DiagonalSpread
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._spread_stack import SpreadStack
from margin.distributions.multivariate._vector_algebra import (
    conditional,
    divergence,
    flat,
    log_density,
)

AnySpread: TypeAlias = Spread | SpreadStack | DiagonalSpread


def spread_of(
    owner: object,
    mean: Floats,
    covariance: ArrayLike | None,
    precision: ArrayLike | None,
    cholesky: ArrayLike | None,
    variance: ArrayLike | None,
) -> AnySpread:
    """The spread given as exactly one of four: shared, one for each member, or diagonal."""
    forms = {"covariance": covariance, "precision": precision, "cholesky": cholesky}
    if variance is not None and all(value is None for value in forms.values()):
        given = parameter(owner, "variance", variance, positive=True)
        if given.ndim == 0 or given.shape[-1:] != mean.shape[-1:]:
            need = f"of shape {('...', *mean.shape[-1:])}"
            raise check.fail(owner, "variance", need, f"shape {given.shape}")
        return DiagonalSpread(given)
    names = [name for name, value in forms.items() if value is not None]
    if variance is not None or len(names) != 1:
        wanted = "given as exactly one of covariance, precision, cholesky and variance"
        raise check.fail(owner, "spread", wanted, names + ["variance"] * (variance is not None))
    given = np.asarray(forms[names[0]])
    if given.ndim > 2:
        return SpreadStack.of(owner, names[0], parameter(owner, names[0], given))
    return Spread.of(owner, covariance, precision, cholesky)


def log_densities(spread: AnySpread, residual: Floats) -> Floats:
    """Log density of residuals of shape (..., *batch, d); NaN is marginalised."""
    if isinstance(spread, Spread):
        return log_density(spread, flat(residual)).reshape(residual.shape[:-1])
    return spread.log_density(residual)


def coloured(spread: AnySpread, white: Floats) -> Floats:
    """Vectors of the covariance of the spread from white noise of shape (..., *batch, d)."""
    if isinstance(spread, Spread):
        return spread.colour(flat(white)).reshape(white.shape)
    return spread.colour(white)


def conditioned(spread: AnySpread, left: Places, seen: Places) -> tuple[Floats, AnySpread]:
    """Gain from the coordinates ``seen`` to those ``left``, and the spread of these given those."""
    if isinstance(spread, Spread):
        law = conditional(spread, left, seen)
        return law.gain, Spread.of("MultivariateNormal", **{spread.form: law.matrix})
    return spread.given(left, seen)


def transformed(spread: AnySpread, A: Floats) -> AnySpread:
    r"""Spread :math:`A \Sigma A^\top`."""
    matrix = A @ spread.covariance @ A.T
    if matrix.ndim == 2:
        return Spread.of("MultivariateNormal", matrix)
    return SpreadStack.of("MultivariateNormal", "covariance", matrix)


def divergences(p: AnySpread, q: AnySpread, shift: Floats) -> Floats:
    """Kullback-Leibler divergence between normals whose means lie ``shift`` (..., d) apart."""
    if isinstance(p, Spread) and isinstance(q, Spread):
        return divergence(p, q, flat(shift)).reshape(shift.shape[:-1])
    if isinstance(p, DiagonalSpread) and isinstance(q, DiagonalSpread):
        ratio = p.variance / q.variance
        each = 0.5 * (ratio - 1.0 - np.log(ratio) + shift**2 / q.variance)
        return np.asarray(each.sum(axis=-1))
    batch = np.broadcast_shapes(p.batch, q.batch, shift.shape[:-1])
    shift = np.broadcast_to(shift, (*batch, shift.shape[-1]))
    value = np.empty(batch)
    for index in np.ndindex(batch):
        one, two = dense(member(p, index)), dense(member(q, index))
        value[index] = divergence(one, two, shift[index][None])[0]
    return value


def member(spread: AnySpread, index: tuple[int, ...]) -> Any:
    """The spread at an index of the whole array: its batch is a trailing part of that."""
    own = index[len(index) - len(spread.batch) :]
    return spread if isinstance(spread, Spread) or not own else spread[own]


def dense(spread: Spread | DiagonalSpread) -> Spread:
    """A single spread with a factor."""
    if isinstance(spread, Spread):
        return spread
    return Spread.of("MultivariateNormal", lower=np.diag(np.sqrt(spread.variance)))
