"""Checks of what a person may set in a Gaussian mixture."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.mixture.finite._gaussian_starts import Given


def given_parameters(
    owner: Any, weights: Any, means: Any, precisions: Any, k: int, d: int, kind: str
) -> Given:
    """Initial parameters in double precision, refused where they are none.

    The messages end with scikit-learn's words, which people search for.
    """
    return Given(
        None if weights is None else _weights(owner, weights, k),
        None if means is None else _shaped(owner, "means_init", "means", means, (k, d)),
        None if precisions is None else _precisions(owner, precisions, k, d, kind),
    )


def numbers(owner: Any, name: str, value: Any) -> Floats:
    """An array in double precision, refused where it is none."""
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, name, "numbers", value) from error


def spread_shape(kind: str, k: int, d: int) -> tuple[int, ...]:
    """Shape of covariances and precisions of a kind."""
    return {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}[kind]


def definite(owner: Any, name: str, word: str, value: Floats, kind: str) -> Floats:
    """Matrices that are symmetric and positive definite, or positive numbers."""
    if kind in ("diag", "spherical"):
        if not (value > 0).all():
            raise ValueError(_message(owner, name, "positive", f"'{word}' should be positive"))
        return value
    need = "symmetric, positive-definite"
    symmetric = np.allclose(value, np.swapaxes(value, -1, -2))
    if not symmetric or not (np.linalg.eigvalsh(value) > 0).all():
        raise ValueError(_message(owner, name, need, f"'{word}' should be {need}"))
    return value


def _weights(owner: Any, weights: Any, k: int) -> Floats:
    value = _shaped(owner, "weights_init", "weights", weights, (k,))
    if (value < 0).any() or (value > 1).any():
        theirs = (
            "The parameter 'weights' should be in the range [0, 1], but got max value "
            f"{value.min():.5f}, min value {value.max():.5f}"
        )
        raise ValueError(_message(owner, "weights_init", "between 0 and 1", theirs))
    if abs(value.sum() - 1) > 1e-6:
        theirs = (
            "The parameter 'weights' should be normalized, but got sum(weights) = "
            f"{value.sum():.5f}"
        )
        raise ValueError(_message(owner, "weights_init", "of sum 1", theirs))
    return value


def _precisions(owner: Any, precisions: Any, k: int, d: int, kind: str) -> Floats:
    word = f"{kind} precision"
    shape = spread_shape(kind, k, d)
    value = _shaped(owner, "precisions_init", word, precisions, shape)
    return definite(owner, "precisions_init", word, value, kind)


def _shaped(owner: Any, name: str, word: str, value: Any, shape: tuple[int, ...]) -> Floats:
    array = numbers(owner, name, value)
    if array.shape != shape:
        theirs = f"The parameter '{word}' should have the shape of {shape}, but got {array.shape}"
        raise ValueError(_message(owner, name, f"of shape {shape}", theirs))
    if not np.isfinite(array).all():
        raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
    return array


def _message(owner: Any, name: str, need: str, theirs: str) -> str:
    return f"{check.named(owner)}: {name} must be {need}: {theirs}"
