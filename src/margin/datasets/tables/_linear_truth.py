"""Regression and classification with a known linear law."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw
from margin.datasets._tabular import tabular


def make_linear_regression(
    n_samples: int = 100,
    n_features: int = 10,
    *,
    n_informative: int | None = None,
    coef: ArrayLike | None = None,
    intercept: float = 0.0,
    noise: float = 1.0,
    correlation: float = 0.0,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Gaussian features, a known linear law and Gaussian noise.

    :math:`y = Xw + b + \sigma\varepsilon` with rows :math:`x \sim N(0, \Sigma)`,
    :math:`\Sigma_{ij} = \rho^{|i - j|}`.

    Parameters
    ----------
    n_samples, n_features : int
        Sizes.
    n_informative : int, optional
        Number of coefficients that are not zero, at random places; absent, all.
    coef : array-like of shape (n_features,), optional
        :math:`w`; absent, the informative ones are standard normal.
    intercept, noise : float
        :math:`b` and :math:`\sigma`.
    correlation : float
        :math:`\rho`, the correlation of neighbouring features, in (-1, 1).
    as_frame : bool
        Return pandas objects.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``, ``target``; ``coef``, ``intercept``, ``noise``, ``covariance``; ``expected``, the
        target without noise; ``r2``, the share of variance the true law explains in the population.

    Examples
    --------
    >>> truth = make_linear_regression(coef=[3.0, 0.0, 4.0], n_features=3, random_state=0)
    >>> truth.data.shape, round(truth.r2, 4)
    ((100, 3), 0.9615)
    """
    owner = "make_linear_regression"
    require.count(owner, n_samples=n_samples, n_features=n_features)
    require.between(owner, intercept=intercept)
    require.between(owner, 0, noise=noise)
    rng = generator(random_state)
    X, covariance = _design(owner, n_samples, n_features, correlation, rng)
    w = _coefficients(owner, coef, (n_features,), n_informative, rng)
    expected = X @ w + intercept
    signal = float(w @ covariance @ w)
    total = signal + noise**2
    return tabular(
        X,
        expected + noise * rng.standard_normal(n_samples),
        feature_names=[f"x{j}" for j in range(n_features)],
        target_name="y",
        as_frame=as_frame,
        coef=w,
        intercept=intercept,
        noise=noise,
        covariance=covariance,
        expected=expected,
        r2=signal / total if total > 0 else 0.0,
        DESCR="Linear regression with known coefficients, generated.",
    )


def make_logistic(
    n_samples: int = 500,
    n_features: int = 5,
    *,
    n_classes: int = 2,
    n_informative: int | None = None,
    coef: ArrayLike | None = None,
    intercept: ArrayLike | None = None,
    correlation: float = 0.0,
    as_frame: bool = False,
    random_state: Any = None,
) -> Bunch:
    r"""Gaussian features and classes drawn from a known logistic or softmax law.

    :math:`p(y = k \mid x) \propto \exp(w_k^\top x + b_k)`; with two classes
    :math:`p(y = 1 \mid x) = \sigma(w^\top x + b)`. The classes are drawn, not thresholded, so that
    the probabilities are calibrated by construction and the best attainable error is known.

    Parameters
    ----------
    n_samples, n_features, n_classes : int
        Sizes; at least two classes.
    n_informative : int, optional
        Number of features that matter, at random places; absent, all.
    coef : array-like, optional
        :math:`w`, of shape (n_features,) for two classes, else (n_classes, n_features); absent,
        standard normal.
    intercept : float or array-like, optional
        :math:`b`, one number for two classes, else n_classes of them; absent, 0.
    correlation : float
        Correlation of neighbouring features, in (-1, 1).
    as_frame : bool
        Return pandas objects.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``, ``target``; ``coef``, ``intercept``, ``covariance``; ``probability`` (n_samples,
        n_classes), the true ones; ``bayes_error``, the mean of
        :math:`1 - \max_k p(k \mid x)` over these rows, and ``bayes_log_loss``, their mean entropy.

    Examples
    --------
    >>> truth = make_logistic(2000, 1, coef=[2.0], random_state=0)
    >>> wrong = (truth.probability.argmax(axis=1) != truth.target).mean()
    >>> round(truth.bayes_error, 3), round(float(wrong), 3)
    (0.22, 0.226)
    """
    owner = "make_logistic"
    require.count(owner, n_samples=n_samples, n_features=n_features)
    require.count(owner, minimum=2, n_classes=n_classes)
    rng = generator(random_state)
    X, covariance = _design(owner, n_samples, n_features, correlation, rng)
    binary = n_classes == 2
    shape = (n_features,) if binary else (n_classes, n_features)
    w = _coefficients(owner, coef, shape, n_informative, rng)
    b = np.zeros(shape[:-1]) if intercept is None else np.asarray(intercept, dtype=float)
    if b.shape != shape[:-1] or not np.isfinite(b).all():
        raise ValueError(f"{owner}: intercept must be finite of shape {shape[:-1]}, got {b.shape}")
    scores = X @ w.T + b
    if binary:
        scores = np.column_stack([np.zeros(n_samples), scores])
    probability = softmax(scores, axis=1)
    log_probability = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return tabular(
        X,
        draw(probability, rng),
        feature_names=[f"x{j}" for j in range(n_features)],
        target_name="y",
        as_frame=as_frame,
        coef=w,
        intercept=float(b) if binary else b,
        covariance=covariance,
        probability=probability,
        bayes_error=float(1 - probability.max(axis=1).mean()),
        bayes_log_loss=float(-(probability * log_probability).sum(axis=1).mean()),
        DESCR="Classes drawn from a known logistic law, generated.",
    )


def _design(
    owner: str, n_samples: int, n_features: int, correlation: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    require.between(owner, -1, 1, open_low=True, open_high=True, correlation=correlation)
    places = np.arange(n_features)
    covariance = np.power(float(correlation), np.abs(places[:, None] - places[None, :]))
    noise = rng.standard_normal((n_samples, n_features))
    X = noise.copy()
    # The first-order autoregression has exactly this covariance and needs no factorisation.
    for j in range(1, n_features):
        X[:, j] = correlation * X[:, j - 1] + np.sqrt(1 - correlation**2) * noise[:, j]
    return X, covariance


def _coefficients(
    owner: str,
    coef: ArrayLike | None,
    shape: tuple[int, ...],
    n_informative: int | None,
    rng: np.random.Generator,
) -> Floats:
    n_features = shape[-1]
    if coef is not None:
        if n_informative is not None:
            raise ValueError(
                f"{owner}: n_informative must be None when coef is given, got {n_informative!r}"
            )
        w = np.array(coef, dtype=float)
        if w.shape != shape or not np.isfinite(w).all():
            raise ValueError(f"{owner}: coef must be finite of shape {shape}, got {w.shape}")
        return w
    kept = n_features if n_informative is None else n_informative
    require.count(owner, minimum=0, n_informative=kept)
    require.between(owner, 0, n_features, n_informative=kept)
    w = np.zeros(shape)
    places = rng.permutation(n_features)[:kept]
    w[..., places] = rng.standard_normal((*shape[:-1], kept))
    return w
