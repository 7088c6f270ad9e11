"""Small problems with known answers, shared by the tests of the solvers."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from margin import losses, optim, penalties

# Problems that several modules share lie beside the tests.
HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


@pytest.fixture
def rosenbrock():
    """The banana valley, minimum 0 at (1, 1)."""

    def expand(x):
        a, b = x[1] - x[0] ** 2, 1 - x[0]
        return 100 * a**2 + b**2, np.array([-400 * x[0] * a - 2 * b, 200 * a])

    def hessian(x):
        return np.array([[1200 * x[0] ** 2 - 400 * x[1] + 2, -400 * x[0]], [-400 * x[0], 200.0]])

    return optim.Function(expand, 2, hessian)


@pytest.fixture
def quadratic():
    """Maker of strictly convex quadratics with a given condition number, and their minimisers."""

    def make(dimension, condition, seed=0):
        rng = np.random.default_rng(seed)
        basis, _ = np.linalg.qr(rng.normal(size=(dimension, dimension)))
        A = (basis * np.geomspace(1.0, condition, dimension)) @ basis.T
        A = 0.5 * (A + A.T)
        best = rng.normal(size=dimension)

        def expand(x):
            image = A @ (x - best)
            return 0.5 * float((x - best) @ image), image

        return optim.Function(expand, dimension, lambda x: A), best

    return make


@pytest.fixture
def classification():
    """Maker of a logistic (2 classes) or softmax problem, in any storage."""

    def make(
        n_classes=2,
        storage="dense",
        n=120,
        p=4,
        alpha=0.05,
        intercept=True,
        weighted=True,
        n_threads=1,
        seed=0,
    ):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, p)) * np.geomspace(0.5, 2.0, p)
        X[rng.random(size=X.shape) < 0.3] = 0.0
        scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
        y = scores.argmax(axis=1)
        X = {
            "dense": lambda: X,
            "float32": lambda: X.astype(np.float32),
            "fortran": lambda: np.asfortranarray(X),
            "sparse": lambda: sparse.csr_array(X),
            "sparse32": lambda: sparse.csr_array(X.astype(np.float32)),
        }[storage]()
        return optim.LinearProblem(
            X,
            y.astype(float) if n_classes == 2 else y,
            rng.random(n) / n if weighted else None,
            losses.Logistic() if n_classes == 2 else losses.Softmax(),
            penalties.L2(alpha) if alpha else penalties.Zero(),
            intercept=intercept,
            n_outputs=1 if n_classes == 2 else n_classes,
            n_threads=n_threads,
        )

    return make
