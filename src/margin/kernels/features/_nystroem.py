"""Nyström features of any kernel."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.objects import count
from margin.core.random import generator
from margin.kernels._base import Floats, Kernel
from margin.kernels.features._feature_map import FeatureMap
from margin.kernels.features._gram_features import gram_features


@dataclass(frozen=True, eq=False)
class NystroemFeatures(FeatureMap):
    r"""Features :math:`k(x, L)\, K_{LL}^{-1/2}` from landmarks ``L``.

    Parameters
    ----------
    kernel : Kernel
        What is approximated.
    landmarks : objects
        The landmarks ``L``.
    whitening : ndarray of shape (n_landmarks, r)
        The inverse root of their matrix, without directions that are rounding.
    indices : ndarray of int
        Which of the objects given are the landmarks.
    """

    kernel: Kernel
    landmarks: Any
    whitening: NDArray[np.float64]
    indices: NDArray[np.intp]

    @property
    def n_features(self) -> int:
        """Number of features, at most that of the landmarks."""
        return int(self.whitening.shape[1])

    def __call__(self, X: Any) -> Floats:
        """Features of objects."""
        K = self.kernel(X, self.landmarks)
        return np.asarray(K @ self.whitening.astype(K.dtype))


def nystroem(
    kernel: Kernel,
    X: Any,
    n: int,
    *,
    landmarks: Literal["uniform", "pivoted"] = "uniform",
    rng: Any = None,
    tol: float = 1e-12,
) -> NystroemFeatures:
    r"""At most ``n`` features of any kernel from some of the objects (kernels.23, kernels.33).

    :math:`\phi(x)^\top \phi(z) = k(x, L) K_{LL}^{-1} k(L, z)`, exact for landmarks, and everywhere
    once they span the features of the data. Objects may be of any kind.

    Parameters
    ----------
    kernel : Kernel
        What is approximated.
    X : objects
        Candidates for landmarks; a table or a list.
    n : int
        Number of landmarks; all if there are fewer.
    landmarks : {"uniform", "pivoted"}
        Drawn at random, or each where the approximation so far is worst (pivoted Cholesky,
        :math:`O(N n)` kernel values), which needs fewer.
    rng : None, int or Generator
        Source of the random choice.
    tol : float
        Directions of the landmarks below this share of the largest are dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Polynomial
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> features = nystroem(Polynomial(2), X, 6, landmarks="pivoted")
    >>> features.n_features, bool(np.allclose(features(X) @ features(X).T, Polynomial(2)(X)))
    (6, True)
    """
    if not isinstance(n, int | np.integer) or n < 1:
        raise check.fail("nystroem", "n", "an integer of at least 1", n)
    size = count(X)
    if size < 1:
        raise check.fail("nystroem", "X", "at least one object", size)
    if landmarks == "uniform":
        chosen = np.sort(generator(rng).permutation(size)[:n])
    elif landmarks == "pivoted":
        chosen = _pivots(kernel, X, min(int(n), size), tol)
    else:
        raise check.fail("nystroem", "landmarks", "one of 'uniform', 'pivoted'", landmarks)
    picked = _pick(X, chosen)
    # Small directions decide: their values need double precision whatever that of the table.
    precise = picked.astype(np.float64) if hasattr(picked, "astype") else picked
    factor = gram_features(kernel(precise), tol=tol)
    whitening = factor.features / factor.singular_values**2
    return NystroemFeatures(kernel, picked, whitening, chosen)


def _pick(X: Any, indices: NDArray[np.intp]) -> Any:
    if hasattr(X, "shape"):
        return X[indices]
    picked = [X[i] for i in indices]
    return np.asarray(picked) if isinstance(X[0], list | tuple | np.ndarray) else picked


def _pivots(kernel: Kernel, X: Any, n: int, tol: float) -> NDArray[np.intp]:
    """Indices of a pivoted Cholesky factorisation: each the worst explained so far."""
    residual = np.array(kernel.diag(X), dtype=np.float64)
    largest = float(residual.max())
    factor = np.zeros((n, len(residual)))
    chosen: list[int] = []
    for step in range(n):
        worst = int(np.argmax(residual))
        if residual[worst] <= tol * largest:
            break
        column = np.asarray(kernel(_pick(X, np.array([worst])), X), dtype=np.float64)[0]
        column = column - factor[:step, worst] @ factor[:step]
        factor[step] = column / np.sqrt(residual[worst])
        residual -= factor[step] ** 2
        residual[worst] = 0.0
        chosen.append(worst)
    return np.array(chosen or [0], dtype=np.intp)
