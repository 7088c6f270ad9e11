"""Predictions of a fitted process, in the units of the targets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from sklearn.utils import check_array

from margin.core import check
from margin.distributions import MultivariateNormal, Normal
from margin.gp._inputs import Precomputed, resolve_kernel, structured
from margin.gp._noise import noise_variance
from margin.gp.regression._mean import fit_mean
from margin.kernels import RBF

Floats = NDArray[np.float64]

_BLOCK = 1 << 24


class Moments(NamedTuple):
    """Mean of shape (m, k), variance (m, k) or None, covariance (m, m, k) or None."""

    mean: Floats
    var: Any = None
    cov: Any = None


def moments(
    model: Any, X: Any, spread: str = "", *, latent: bool = False, prior: Any = None
) -> Moments:
    """Mean and spread of the process at new objects.

    Parameters
    ----------
    model : GaussianProcessRegressor
        Fitted.
    X : array of shape (m, d), or a list of objects
    spread : {"", "var", "cov"}
        What is wanted besides the mean.
    latent : bool
        Whether to leave out the white noise of the kernel.
    prior : ndarray, optional
        Values of a precomputed kernel between the new objects.
    """
    if spread == "cov":
        return _joint(model, X, latent, prior)
    # Blocks bound the memory of the kernel between new and old objects.
    step = max(1, _BLOCK // max(1, len(model.X_train_)))
    if model._posterior.whole:
        step = max(1, len(X))
    pieces = []
    for start in range(0, len(X), step):
        part = None if prior is None else np.asarray(prior, dtype=np.float64)[start : start + step]
        pieces.append(_pointwise(model, X[start : start + step], spread, latent, part))
    mean = np.concatenate([piece[0] for piece in pieces]) if pieces else np.empty((0, 1))
    if not spread:
        return Moments(mean)
    return Moments(mean, np.concatenate([piece[1] for piece in pieces]))


def _pointwise(model: Any, X: Any, spread: str, latent: bool, prior: Any) -> tuple[Floats, Any]:
    diag = None
    if spread:
        diag = _given(model, prior, (len(X),)) if _is_matrix(model) else model.kernel_.diag(X)
        diag = np.asarray(diag, dtype=np.float64)
        if latent:
            diag = diag - noise_variance(model.kernel_, X)
    mean, var = model._posterior.predict(model.kernel_, X, model._mean.rows(X), diag)
    mean = (mean + model._mean.offset(X)[:, None]) * model._size + model._shift
    return mean, None if var is None else var[:, None] * model._size**2


def _joint(model: Any, X: Any, latent: bool, prior: Any) -> Moments:
    if _is_matrix(model):
        whole = _given(model, prior, (len(X), len(X)))
    else:
        whole = np.array(model.kernel_(X), dtype=np.float64)
    if latent:
        whole.flat[:: len(whole) + 1] -= noise_variance(model.kernel_, X)
    mean, _ = _pointwise(model, X, "", False, None)
    cov = model._posterior.covariance(model.kernel_, X, model._mean.rows(X), whole)
    return Moments(mean, None, cov[:, :, None] * model._size**2)


def _is_matrix(model: Any) -> bool:
    return isinstance(model.kernel_, Precomputed)


def _given(model: Any, prior: Any, shape: tuple[int, ...]) -> Floats:
    if prior is None:
        need = f"an array of shape {shape} for a precomputed kernel"
        raise check.fail(model, "prior", need, None)
    values = np.array(prior, dtype=np.float64)
    if values.shape != shape:
        raise check.fail(model, "prior", f"an array of shape {shape}", values.shape)
    return values


def draws(mean: Floats, cov: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Samples of shape (m, n) from a normal distribution that may have no density.

    A noise-free process is known exactly at its data, so the covariance is singular: a root comes
    from the eigenvectors, eigenvalues that rounding made negative being zero.

    Examples
    --------
    >>> draws(np.array([1.0]), np.zeros((1, 1)), 3, np.random.default_rng(0))
    array([[1., 1., 1.]])
    """
    values, vectors = eigh(cov)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return mean[:, None] + root @ rng.standard_normal((len(mean), n))


def sample_prior(model: Any, X: Any, n: int, rng: np.random.Generator) -> Floats:
    """Functions from the prior at ``X``; unknown coefficients of the mean are taken as zero."""
    kernel = resolve_kernel(model, model.kernel)
    kernel = 1.0 * RBF(1.0) if kernel is None else kernel
    objects = list(X) if structured(kernel) else check_array(X, dtype=np.float64)
    _, _, offset = fit_mean(model, model.mean, objects)
    return draws(offset, np.asarray(kernel(objects), dtype=np.float64), n, rng)


def predictive(model: Any, X: Any, *, latent: bool, joint: bool, prior: Any) -> Any:
    """Distribution of new targets or of the function, row by row or of all rows together."""
    noise = 0.0 if latent or np.ndim(model.alpha) else model.alpha * model._size**2
    if joint:
        if model.y_train_.ndim > 1:
            raise check.fail(model, "joint", "False for several targets", joint)
        found = moments(model, X, "cov", latent=latent, prior=prior)
        return MultivariateNormal(
            found.mean[:, 0], found.cov[:, :, 0] + np.eye(len(found.mean)) * noise
        )
    found = moments(model, X, "var", latent=latent, prior=prior)
    # A variance of exactly zero, at noise-free data, is known to rounding errors only.
    size = float(np.mean(model.kernel_.diag(model.X_train_[:1])))
    var = np.maximum(found.var + noise, np.finfo(np.float64).eps * size * model._size**2)
    return Normal(model._shaped(found.mean), np.sqrt(model._shaped(var)))


def sample_posterior(model: Any, X: Any, n: int, rng: np.random.Generator) -> Floats:
    """Functions given the data, of shape (m, n, k)."""
    found = moments(model, X, "cov")
    targets = range(found.mean.shape[1])
    return np.stack([draws(found.mean[:, j], found.cov[:, :, j], n, rng) for j in targets], axis=2)


def held_out(model: Any) -> Normal:
    """Prediction of every training target from all the others."""
    held = model._posterior.leave_one_out()
    offset = model._mean.offset(model.X_train_)[:, None]
    mean = (held.mean + offset) * model._size + model._shift
    std = np.sqrt(held.var)[:, None] * model._size
    return Normal(model._shaped(mean), model._shaped(std))
