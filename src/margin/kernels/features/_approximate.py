"""Explicit features of a kernel, chosen by one word."""

from typing import Any, Literal, get_args

import numpy as np

from margin.core import check
from margin.kernels._base import Kernel
from margin.kernels.features._feature_map import FeatureMap
from margin.kernels.features._fourier import fourier_features
from margin.kernels.features._nystroem import nystroem
from margin.kernels.features._polynomial_features import PolynomialFeatures
from margin.kernels.vectors._polynomial import Polynomial

Method = Literal["nystroem", "pivoted", "fourier", "polynomial"]


def approximate(
    kernel: Kernel, X: Any, n: int = 100, *, method: Method = "nystroem", rng: Any = None
) -> FeatureMap:
    """A feature map of a kernel for objects like ``X`` (kernels.33).

    Parameters
    ----------
    kernel : Kernel
        What is approximated.
    X : objects
        A sample: landmarks are taken from it, and the number of columns.
    n : int
        Number of features; ignored by ``"polynomial"``, which is exact.
    method : {"nystroem", "pivoted", "fourier", "polynomial"}
        Landmarks drawn at random (any kernel), landmarks chosen where they are needed (any
        kernel), random frequencies (stationary kernels), all monomials (polynomial kernels).
    rng : None, int or Generator
        Source of randomness.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import RBF
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> features = approximate(RBF(1.0), X, 60, method="pivoted")
    >>> bool(np.abs(features(X) @ features(X).T - RBF(1.0)(X)).max() < 1e-3)
    True
    """
    if method == "nystroem":
        return nystroem(kernel, X, n, rng=rng)
    if method == "pivoted":
        return nystroem(kernel, X, n, landmarks="pivoted")
    if method == "fourier":
        return fourier_features(kernel, n + n % 2, n_columns=np.shape(X)[1], rng=rng)
    if method == "polynomial":
        if not isinstance(kernel, Polynomial):
            raise check.fail("approximate", "kernel", "a Polynomial for this method", kernel)
        return PolynomialFeatures.of(kernel, np.shape(X)[1])
    raise check.fail("approximate", "method", f"one of {get_args(Method)}", method)
