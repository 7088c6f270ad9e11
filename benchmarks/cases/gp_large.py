"""Gaussian processes on many rows by conjugate gradients, at fixed hyper-parameters."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import lapack

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.cases.gp import PEER, Curves, negative_density, smooth

VARIANCE, NOISE = 1.2, 0.06
NEW_ROWS = 200


@dataclass(frozen=True)
class Known:
    """Data with the exact log marginal likelihood per row and its gradient."""

    curves: Curves
    scales: np.ndarray
    value: float
    gradient: np.ndarray


def scales_of(p: int) -> np.ndarray:
    """Length scales near those that the data ask for; the last column has no effect."""
    return np.array([0.9, 1.6, 1.2, 3.0] + [9.0] * (p - 4))


def some_new(n: int, p: int) -> Curves:
    """The data with so many held-out rows that neither fit nor prediction dominates."""
    data = smooth(n, p)
    return Curves(data.X, data.y, data.X_new[:NEW_ROWS], data.y_new[:NEW_ROWS])


def known(n: int, p: int) -> Known:
    """Value and gradient in log variance, length scales and noise, from a dense factor."""
    data, scales = smooth(n, p), scales_of(p)
    Z = data.X / scales
    lengths = np.einsum("ij,ij->i", Z, Z)
    K = Z @ Z.T
    K *= -2.0
    K += lengths
    K += lengths[:, None]
    K = VARIANCE * np.exp(-0.5 * np.maximum(K, 0.0))
    lower, _ = lapack.dpotrf(K + NOISE * np.eye(n), lower=1, clean=1)
    alpha, _ = lapack.dpotrs(lower, data.y, lower=1)
    log_det = 2.0 * float(np.sum(np.log(np.diagonal(lower))))
    value = -0.5 * (data.y @ alpha + log_det + n * np.log(2 * np.pi))
    inverse, _ = lapack.dpotri(lower, lower=1)
    G = np.tril(inverse) + np.tril(inverse, -1).T
    noise = 0.5 * NOISE * (alpha @ alpha - np.trace(G))
    G = 0.5 * (np.outer(alpha, alpha) - G) * K
    by_scale = 2.0 * (G.sum(axis=1) @ Z**2 - np.einsum("ij,ij->j", Z, G @ Z))
    gradient = np.concatenate([[G.sum()], by_scale, [noise]])
    return Known(data, scales, float(value) / n, gradient / n)


def _ours(X: np.ndarray, y: np.ndarray) -> Any:
    from margin.gp import GaussianProcessRegressor
    from margin.kernels import RBF, White

    kernel = VARIANCE * RBF(tuple(scales_of(X.shape[1]))) + White(NOISE)
    return GaussianProcessRegressor(
        kernel=kernel, alpha=0.0, optimizer=None, method="cg", random_state=0
    ).fit(X, y)


def evaluate_margin(data: Known) -> tuple[float, np.ndarray]:
    """The engine behind one step of learning, preconditioner and all."""
    from margin.gp.solvers._conjugate import ConjugateGradients
    from margin.gp.solvers._interface import Observations
    from margin.kernels import RBF, White

    X, y = data.curves.X, data.curves.y
    kernel = VARIANCE * RBF(tuple(data.scales)) + White(NOISE)
    seen = Observations(X, y[:, None], np.zeros(len(y)), np.empty((len(y), 0)))
    found = ConjugateGradients.of(kernel, seen).evaluate(kernel, seen)
    return found.value / len(y), found.gradient / len(y)


def _theirs(X: np.ndarray, y: np.ndarray) -> tuple[Any, Any, Any]:
    import gpytorch
    import torch

    inputs, targets = torch.tensor(X), torch.tensor(y)
    noise = gpytorch.likelihoods.GaussianLikelihood().double()
    noise.noise = NOISE
    base = gpytorch.kernels.ScaleKernel(
        gpytorch.kernels.RBFKernel(ard_num_dims=X.shape[1])
    ).double()
    base.base_kernel.lengthscale = torch.tensor(scales_of(X.shape[1]))
    base.outputscale = VARIANCE

    class Model(gpytorch.models.ExactGP):
        def __init__(self) -> None:
            super().__init__(inputs, targets, noise)
            self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), base

        def forward(self, x: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(x), self.covar_module(x)
            )

    return Model().double(), noise, base


def evaluate_gpytorch(data: Known, tolerance: float, rank: int) -> tuple[float, np.ndarray]:
    """Conjugate gradients and Lanczos quadrature; a tolerance of 1 and rank 15 are its defaults."""
    import gpytorch
    import torch

    X, y = data.curves.X, data.curves.y
    model, noise, base = _theirs(X, y)
    model.train()
    noise.train()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(noise, model)
    with (
        gpytorch.settings.cg_tolerance(tolerance),
        gpytorch.settings.max_preconditioner_size(rank),
    ):
        value = evidence(model(torch.tensor(X)), torch.tensor(y))
        value.backward()
    parts = (base.raw_outputscale, base.base_kernel.raw_lengthscale, noise.raw_noise)
    # Its parameters are softplus^-1 of ours, and ours are logarithms.
    slopes = [
        (part.grad * torch.nn.functional.softplus(part) / torch.sigmoid(part)).detach().numpy()
        for part in parts
    ]
    return value.item(), np.concatenate([slope.ravel() for slope in slopes])


def predict_margin(data: Curves) -> tuple[np.ndarray, np.ndarray]:
    found = _ours(data.X, data.y).predict_dist(data.X_new)
    return found.mean, found.var


def predict_gpytorch(data: Curves, tolerance: float, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance by conjugate gradients; a tolerance of 0.01 is its default."""
    import gpytorch
    import torch

    model, noise, _ = _theirs(data.X, data.y)
    model.eval()
    noise.eval()
    with (
        torch.no_grad(),
        gpytorch.settings.eval_cg_tolerance(tolerance),
        gpytorch.settings.max_preconditioner_size(rank),
    ):
        found = noise(model(torch.tensor(data.X_new)))
        return found.mean.numpy(), found.variance.numpy()


def value_error(data: Known, found: tuple[float, np.ndarray]) -> float:
    return abs(found[0] - data.value)


def gradient_error(data: Known, found: tuple[float, np.ndarray]) -> float:
    return float(np.abs(found[1] - data.gradient).max())


CASES = (
    Case(
        name="gp-cg-likelihood",
        description=(
            "One log marginal likelihood with its gradient by conjugate gradients, Lanczos"
            " quadrature and random probes, in double precision at fixed hyper-parameters."
        ),
        make_data=known,
        sizes=(
            Size("5 000 × 5", {"n": 5_000, "p": 5}, 5_000),
            Size("10 000 × 5", {"n": 10_000, "p": 5}, 10_000),
        ),
        contestants=(
            Contestant("margin cg", evaluate_margin, requires=("margin.gp",), ours=True),
            Contestant(
                "GPyTorch",
                evaluate_gpytorch,
                requires=PEER,
                settings=(
                    {"tolerance": 1.0, "rank": 15},
                    {"tolerance": 0.1, "rank": 15},
                    {"tolerance": 0.01, "rank": 100},
                ),
            ),
        ),
        target=Target(
            objective=value_error,
            objective_name="error of the log marginal likelihood per row",
            tolerance=5e-3,
            certificate=gradient_error,
            certificate_name="error of the gradient per row",
            limit=1e-2,
        ),
        warm_up={"n": 300, "p": 5},
        max_rounds=2,
    ),
    Case(
        name="gp-cg-predict",
        description=(
            f"Fit at fixed hyper-parameters and predict {NEW_ROWS} held-out rows with their"
            " variances, by conjugate gradients in double precision."
        ),
        make_data=some_new,
        sizes=(
            Size("10 000 × 5", {"n": 10_000, "p": 5}, 10_000),
            Size("20 000 × 5", {"n": 20_000, "p": 5}, 20_000),
        ),
        contestants=(
            Contestant(
                "margin cg",
                predict_margin,
                requires=("margin.gp",),
                ours=True,
                note="Computes the marginal likelihood too.",
            ),
            Contestant(
                "GPyTorch",
                predict_gpytorch,
                requires=PEER,
                settings=(
                    {"tolerance": 0.01, "rank": 15},
                    {"tolerance": 0.001, "rank": 100},
                ),
            ),
        ),
        target=Target(
            objective=negative_density,
            objective_name="negative log density of held-out targets",
            tolerance=1e-3,
        ),
        warm_up={"n": 300, "p": 5},
        max_rounds=1,
    ),
)
