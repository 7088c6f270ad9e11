"""One step of a Gaussian process whose rows are a grid, at fixed hyper-parameters."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

LENGTH_SCALE, NOISE = 1.0, 0.1


@dataclass(frozen=True)
class Field:
    """A noisy function on a square grid, and its log marginal likelihood per cell."""

    axis: np.ndarray
    X: np.ndarray
    y: np.ndarray
    value: float


def make_field(m: int) -> Field:
    """Waves on m × m cells; the truth from the eigenvectors of one axis."""
    axis = np.linspace(0, 10, m)
    X = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    rng = np.random.default_rng(0)
    y = np.sin(X[:, 0]) * np.cos(X[:, 1]) + 0.1 * rng.standard_normal(len(X))
    K = np.exp(-0.5 * np.subtract.outer(axis, axis) ** 2 / LENGTH_SCALE**2)
    values, Q = np.linalg.eigh(K)
    spectrum = np.multiply.outer(values, values) + NOISE
    seen = Q.T @ y.reshape(m, m) @ Q
    total = np.sum(seen**2 / spectrum + np.log(2 * np.pi * spectrum))
    return Field(axis, X, y, -0.5 * float(total) / len(y))


def step_margin(field: Field) -> float:
    from margin.gp import GaussianProcessRegressor
    from margin.kernels import RBF, White

    kernel = 1.0 * RBF(LENGTH_SCALE) + White(NOISE)
    model = GaussianProcessRegressor(kernel=kernel, optimizer=None, method="grid")
    model.fit(field.X, field.y)
    value, _ = model.log_marginal_likelihood(model.kernel_.theta, eval_gradient=True)
    return float(value) / len(field.y)


def step_gpytorch(field: Field, probes: int) -> float:
    """Kronecker products of Toeplitz matrices, conjugate gradients and random probes."""
    import warnings

    import gpytorch
    import torch

    axis, y = torch.tensor(field.axis), torch.tensor(field.y)
    grid = [axis, axis]
    X = gpytorch.utils.grid.create_data_from_grid(grid)
    noise = gpytorch.likelihoods.GaussianLikelihood().double()
    noise.noise = NOISE
    base = gpytorch.kernels.RBFKernel().double()
    base.lengthscale = LENGTH_SCALE
    covar = gpytorch.kernels.ScaleKernel(gpytorch.kernels.GridKernel(base, grid=grid)).double()
    covar.outputscale = 1.0

    class Model(gpytorch.models.ExactGP):
        def __init__(self) -> None:
            super().__init__(X, y, noise)
            self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), covar

        def forward(self, x: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(x), self.covar_module(x)
            )

    model = Model().double().train()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(noise.train(), model)
    torch.manual_seed(0)
    with warnings.catch_warnings(), gpytorch.settings.num_trace_samples(probes):
        warnings.simplefilter("ignore")
        value = evidence(model(X), y)
        value.backward()
    return float(value.detach())


CASES = (
    Case(
        name="gp-grid",
        description=(
            "Marginal likelihood and gradient of a Gaussian process on the cells of a square grid,"
            " with a Gaussian kernel at fixed hyper-parameters. Ours is exact and includes fitting."
        ),
        make_data=make_field,
        sizes=(
            Size("60 × 60", {"m": 60}, 3_600),
            Size("200 × 200", {"m": 200}, 40_000),
        ),
        contestants=(
            Contestant("margin", step_margin, requires=("margin.gp",), ours=True),
            Contestant(
                "GPyTorch",
                step_gpytorch,
                requires=("gpytorch", "torch"),
                settings=({"probes": 10}, {"probes": 40}, {"probes": 160}),
                note="double precision; the log determinant is an estimate by random probes",
            ),
        ),
        target=Target(
            objective=lambda field, value: abs(value - field.value),
            objective_name="error of the marginal likelihood per cell",
            tolerance=2e-3,
        ),
        warm_up={"m": 12},
    ),
)
