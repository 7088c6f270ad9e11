"""One step of a Gaussian process against the rate at which the machine multiplies matrices."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.cases.gp import smooth


@dataclass(frozen=True)
class Step:
    """Models at fixed hyper-parameters, a matrix product of as many operations, the answer."""

    ours: Any
    theirs: Any
    left: np.ndarray
    right: np.ndarray
    value: float


def make_step(n: int, p: int) -> Step:
    """A factor takes n³/3 operations and the inverse from it 2n³/3: a product of n × n/2 × n."""
    from sklearn import gaussian_process
    from sklearn.gaussian_process import kernels as their_kernels

    from margin.gp import GaussianProcessRegressor
    from margin.kernels import RBF, White

    data = smooth(n, p)
    scales = tuple(data.X.std(axis=0) * np.sqrt(p))
    kernel = 1.0 * RBF(scales) + White(0.1)
    ours = GaussianProcessRegressor(kernel=kernel, optimizer=None, method="exact")
    their_kernel = their_kernels.ConstantKernel(1.0) * their_kernels.RBF(np.array(scales))
    theirs = gaussian_process.GaussianProcessRegressor(
        their_kernel + their_kernels.WhiteKernel(0.1), optimizer=None
    )
    ours.fit(data.X, data.y)
    theirs.fit(data.X, data.y)
    rng = np.random.default_rng(0)
    left, right = rng.standard_normal((n, n // 2)), rng.standard_normal((n // 2, n))
    return Step(ours, theirs, left, right, theirs.log_marginal_likelihood(theirs.kernel_.theta))


def step_of(model: Any) -> float:
    value, _ = model.log_marginal_likelihood(model.kernel_.theta, eval_gradient=True)
    return float(value)


def multiply(step: Step) -> float:
    step.left @ step.right
    return step.value


CASES = (
    Case(
        name="gp-step",
        description=(
            "Exact marginal likelihood and its gradient at fixed hyper-parameters, one length scale"
            " per column, beside a matrix product of as many operations as the factorisation"
            " and the inverse need."
        ),
        make_data=make_step,
        sizes=(Size("1 500 × 5", {"n": 1_500, "p": 5}, 1_500, required=True),),
        contestants=(
            Contestant(
                "margin", lambda step: step_of(step.ours), requires=("margin.gp",), ours=True
            ),
            Contestant("scikit-learn", lambda step: step_of(step.theirs), binding=False),
            Contestant(
                "matrix product",
                multiply,
                required_ratio=1 / 3,
                note="the machine's limit: n³ operations at the rate of dgemm",
            ),
        ),
        target=Target(
            objective=lambda step, value: abs(value / step.value - 1.0),
            objective_name="relative difference of the marginal likelihood",
            tolerance=1e-9,
        ),
        warm_up={"n": 60, "p": 5},
    ),
)
