"""Gaussian process regression: exact with one length scale per column, and sparse for many rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from scipy.optimize import minimize

from benchmarks.case import Case, Contestant, Size, Target

INDUCING = 500
_ROWS = 2048
_OPTIMA: dict[tuple[int, ...], float] = {}


@dataclass(frozen=True)
class Curves:
    """Training rows and held-out rows of a smooth function with noise; targets of variance one."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray


@dataclass(frozen=True)
class Found:
    """Hyper-parameters of variance, length scales and noise."""

    variance: float
    length_scales: np.ndarray
    noise: float


def smooth(n: int, p: int, seed: int = 0) -> Curves:
    """Waves, a product and a bump of uniform columns, the last one without effect."""
    rng = np.random.default_rng(seed)
    n_new = max(20, n // 10)
    X = rng.uniform(-2, 2, size=(n + n_new, p))
    f = np.sin(2 * X[:, 0]) * np.cos(X[:, 1]) + np.exp(-(X[:, 2] ** 2)) * X[:, 3]
    y = f + 0.2 * rng.standard_normal(n + n_new)
    y = (y - y[:n].mean()) / y[:n].std()
    return Curves(X[:n], y[:n], X[n:], y[n:])


def _start(data: Curves) -> Found:
    return Found(1.0, data.X.std(axis=0) * np.sqrt(data.X.shape[1]), 0.1)


def _margin(data: Curves, **options: Any) -> Any:
    from margin.gp import GaussianProcessRegressor
    from margin.kernels import RBF, White

    start = _start(data)
    kernel = start.variance * RBF(tuple(start.length_scales)) + White(start.noise)
    return GaussianProcessRegressor(kernel=kernel, random_state=0, **options).fit(data.X, data.y)


def fit_margin(data: Curves, tol: float) -> Found:
    values = np.exp(_margin(data, method="exact", tol=tol).kernel_.theta)
    return Found(values[0], values[1:-1], values[-1])


def fit_scikit_learn(data: Curves) -> Found:
    import warnings

    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    start = _start(data)
    kernel = ConstantKernel(start.variance) * RBF(start.length_scales) + WhiteKernel(start.noise)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a scale at its bound, for the column without effect
        fitted = GaussianProcessRegressor(kernel).fit(data.X, data.y)
    values = np.exp(fitted.kernel_.theta)
    return Found(values[0], values[1:-1], values[-1])


def _gpytorch_model(data: Curves, inducing: np.ndarray | None) -> tuple[Any, Any, Any, Any]:
    import gpytorch
    import torch

    X, y = torch.tensor(data.X), torch.tensor(data.y)
    start = _start(data)
    noise = gpytorch.likelihoods.GaussianLikelihood().double()
    noise.noise = start.noise
    base = gpytorch.kernels.ScaleKernel(
        gpytorch.kernels.RBFKernel(ard_num_dims=X.shape[1])
    ).double()
    base.base_kernel.lengthscale = torch.tensor(start.length_scales)
    base.outputscale = start.variance
    covar = base
    if inducing is not None:
        covar = gpytorch.kernels.InducingPointKernel(
            base, inducing_points=torch.tensor(inducing), likelihood=noise
        )

    class Model(gpytorch.models.ExactGP):
        def __init__(self) -> None:
            super().__init__(X, y, noise)
            self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), covar

        def forward(self, x: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(x), self.covar_module(x)
            )

    return Model().double(), noise, base, (X, y)


def fit_gpytorch(data: Curves, max_iter: int) -> Found:
    """Cholesky in double precision, L-BFGS-B on the raw parameters."""
    import gpytorch
    import torch

    model, noise, base, (X, y) = _gpytorch_model(data, None)
    model.train()
    noise.train()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(noise, model)
    raw = list(model.parameters())

    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        at = 0
        for part in raw:
            part.data = torch.tensor(x[at : at + part.numel()]).reshape(part.shape)
            part.grad, at = None, at + part.numel()
        with (
            gpytorch.settings.fast_computations(False, False, False),
            gpytorch.settings.max_cholesky_size(100_000),
        ):
            loss = -evidence(model(X), y)
            loss.backward()
        return loss.item(), np.concatenate([part.grad.numpy().ravel() for part in raw])

    first = np.concatenate([part.detach().numpy().ravel() for part in raw])
    minimize(objective, first, jac=True, method="L-BFGS-B", options={"maxiter": max_iter})
    scales = base.base_kernel.lengthscale.detach().numpy().ravel()
    return Found(base.outputscale.item(), scales, noise.noise.item())


def negative_evidence(data: Curves, found: Found) -> float:
    """Negative log marginal likelihood per row, from the formula."""
    scaled = data.X / found.length_scales
    lengths = np.einsum("ij,ij->i", scaled, scaled)
    squares = np.maximum(lengths[:, None] + lengths - 2 * scaled @ scaled.T, 0.0)
    K = found.variance * np.exp(-0.5 * squares) + found.noise * np.eye(len(scaled))
    lower = scipy.linalg.cholesky(K, lower=True)
    white = scipy.linalg.solve_triangular(lower, data.y, lower=True)
    n = len(data.y)
    log_det = 2 * np.sum(np.log(np.diagonal(lower)))
    return float(0.5 * (white @ white + log_det + n * np.log(2 * np.pi)) / n)


def excess_evidence(data: Curves, found: Found) -> float:
    """How far above the optimum, found by us to many digits, the answer is."""
    if data.X.shape not in _OPTIMA:
        _OPTIMA[data.X.shape] = negative_evidence(data, fit_margin(data, tol=1e-6))
    return negative_evidence(data, found) - _OPTIMA[data.X.shape]


def sparse_margin(data: Curves) -> tuple[np.ndarray, np.ndarray]:
    fitted = _margin(data, method="variational", n_inducing=min(INDUCING, len(data.y)))
    found = fitted.predict_dist(data.X_new)
    return found.mean, found.var


def sparse_gpytorch(data: Curves, iterations: int) -> tuple[np.ndarray, np.ndarray]:
    """The collapsed bound with learned inducing points (SGPR), by Adam."""
    import gpytorch
    import torch

    rng = np.random.default_rng(0)
    rows = rng.choice(len(data.y), min(INDUCING, len(data.y)), replace=False)
    model, noise, _, (X, y) = _gpytorch_model(data, data.X[rows])
    model.train()
    noise.train()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(noise, model)
    adam = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(iterations):
        adam.zero_grad()
        loss = -evidence(model(X), y)
        loss.backward()
        adam.step()
    model.eval()
    noise.eval()
    with torch.no_grad():
        parts = [
            noise(model(torch.tensor(data.X_new[start : start + _ROWS])))
            for start in range(0, len(data.X_new), _ROWS)
        ]
    mean = np.concatenate([part.mean.numpy() for part in parts])
    return mean, np.concatenate([part.variance.numpy() for part in parts])


def negative_density(data: Curves, found: tuple[np.ndarray, np.ndarray]) -> float:
    """Negative log density of the held-out targets, on average."""
    mean, var = found
    return float(np.mean(0.5 * (np.log(2 * np.pi * var) + (data.y_new - mean) ** 2 / var)))


PEER = ("gpytorch", "torch")

CASES = (
    Case(
        name="gp-exact",
        description=(
            "Gaussian process regression with one length scale per column, learned by the exact"
            " marginal likelihood in double precision."
        ),
        make_data=smooth,
        sizes=(
            Size("500 × 5", {"n": 500, "p": 5}, 500),
            Size("1 500 × 5", {"n": 1_500, "p": 5}, 1_500, required=True),
        ),
        contestants=(
            Contestant(
                "margin",
                fit_margin,
                requires=("margin.gp",),
                settings=tuple({"tol": tol} for tol in (1e-3, 1e-4, 1e-5)),
                ours=True,
            ),
            Contestant(
                "scikit-learn",
                fit_scikit_learn,
                requires=("sklearn.gaussian_process",),
                required_ratio=5.0,
                note="has no tolerance to set",
            ),
            Contestant(
                "GPyTorch Cholesky",
                fit_gpytorch,
                requires=PEER,
                settings=tuple({"max_iter": count} for count in (10, 20, 40, 80)),
            ),
        ),
        target=Target(
            objective=negative_evidence,
            objective_name="negative log marginal likelihood per row",
            tolerance=1e-3,
            certificate=excess_evidence,
            certificate_name="above the optimum",
            limit=1e-3,
        ),
        required_ratio=4.0,
        warm_up={"n": 60, "p": 5},
        max_rounds=3,
    ),
    Case(
        name="gp-sparse",
        description=(
            f"Gaussian process regression through {INDUCING} inducing points, fitted and predicted;"
            " what counts is the density of held-out targets."
        ),
        make_data=smooth,
        sizes=(
            Size("5 000 × 6", {"n": 5_000, "p": 6}, 5_000),
            Size("50 000 × 6", {"n": 50_000, "p": 6}, 50_000, required=True),
        ),
        contestants=(
            Contestant("margin", sparse_margin, requires=("margin.gp",), ours=True),
            Contestant(
                "GPyTorch SGPR",
                sparse_gpytorch,
                requires=PEER,
                settings=({"iterations": 20},),
                required_ratio=2.0,
                note="Adam at rate 0.1, inducing points learned, 20 steps, more take longer",
            ),
        ),
        target=Target(
            objective=negative_density,
            objective_name="negative log density of held-out targets",
            tolerance=0.01,
        ),
        warm_up={"n": 200, "p": 6},
        max_rounds=1,
    ),
)
