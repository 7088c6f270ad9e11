"""What the stochastic estimators share: from scikit-learn's parameters to solvers and reports."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin import losses, optim, penalties
from margin.core import DistinctRows, Solution, check, threads
from margin.core.random import generator

Floats = NDArray[np.float64]

RATES = ("optimal", "constant", "invscaling", "adaptive")
PENALTIES = ("l2", "l1", "elasticnet", None)
_ADAPTIVE_DIVISOR = 5.0  # scikit-learn's


def check_sgd_params(estimator, loss_names):
    """Refuse bad parameters of a stochastic estimator."""
    check.params(
        estimator,
        nonnegative="alpha epsilon",
        fraction="l1_ratio",
        count="max_iter n_iter_no_change",
        flag="fit_intercept shuffle early_stopping warm_start",
        positive="eta0",
        one_of={"loss": loss_names, "penalty": PENALTIES, "learning_rate": RATES},
    )
    if estimator.tol is not None:
        check.params(estimator, positive="tol")
    power = estimator.power_t
    if isinstance(power, bool) or not isinstance(power, int | float | np.number):
        raise check.fail(estimator, "power_t", "a number", power)
    average = estimator.average
    if not isinstance(average, bool | int | np.integer) or average < 0:
        raise check.fail(estimator, "average", "True, False or an integer of at least 0", average)
    if not 0 < _number(estimator, "validation_fraction") < 1:
        raise check.fail(
            estimator, "validation_fraction", "between 0 and 1", estimator.validation_fraction
        )
    if estimator.learning_rate == "optimal" and estimator.alpha == 0:
        raise check.fail(estimator, "alpha", "above 0 for learning_rate='optimal'", estimator.alpha)


def _number(estimator, name):
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise check.fail(estimator, name, "a number", value)
    return value


def penalty_of(estimator) -> penalties.Penalty:
    """The penalty that ``penalty``, ``alpha`` and ``l1_ratio`` describe."""
    if estimator.penalty is None or estimator.alpha == 0:
        return penalties.Zero()
    if estimator.penalty == "l2":
        return penalties.L2(estimator.alpha)
    if estimator.penalty == "l1":
        return penalties.L1(estimator.alpha)
    return penalties.ElasticNet(estimator.alpha, estimator.l1_ratio)


def solver_of(estimator, smoothness, *, seed, max_iter) -> optim.SGD:
    r"""The stochastic solver that the learning-rate parameters describe.

    ``"optimal"`` is :math:`1/(\alpha (t_0 + t))` with :math:`t_0` such that the first step is the
    inverse of the largest curvature of a row: no row can be overshot.
    """
    rate = estimator.learning_rate
    schedule: optim.Schedule = optim.Constant(estimator.eta0)
    if rate == "optimal":
        bend = max(smoothness, estimator.alpha, 1e-300)
        schedule = optim.InverseTime(1.0 / bend, bend / estimator.alpha)
    elif rate == "invscaling":
        schedule = optim.PowerDecay(estimator.eta0, max(0.0, float(estimator.power_t)))
    elif rate == "adaptive":
        schedule = optim.DivideOnStall(estimator.eta0, _ADAPTIVE_DIVISOR)
    average = None
    if estimator.average:
        average = optim.PolyakAverage(int(estimator.average) - 1)
    return optim.SGD(
        max_iter=max_iter,
        schedule=schedule,
        average=average,
        shuffle=bool(estimator.shuffle),
        seed=seed,
    )


def seed_of(estimator) -> int:
    """A seed for the orders of the rows, from ``random_state``."""
    return int(generator(estimator.random_state).integers(2**31))


@dataclass(frozen=True)
class Task:
    """One output to be fitted: rows, start, and what continues an earlier search."""

    rows: optim.RowSum
    start: Floats
    progress: optim.Progress | None = None
    monitor: Any = None


def loss_of(estimator) -> losses.Loss:
    """The loss that ``loss`` and ``epsilon`` name."""
    if estimator.loss == "huber":
        return losses.Huber(estimator.epsilon)
    if estimator.loss == "epsilon_insensitive":
        return losses.EpsilonInsensitive(estimator.epsilon)
    found: losses.Loss = {
        "hinge": losses.Hinge(),
        "log_loss": losses.Logistic(),
        "squared_hinge": losses.SquaredHinge(),
        "perceptron": losses.Perceptron(),
        "squared_error": losses.Squared(),
    }[estimator.loss]
    return found


def rows_for(estimator, X, target, table: DistinctRows, factor=None) -> optim.RowSum:
    """Mean loss over the distinct rows, with ``factor`` per row for the weights of classes."""
    weight = table.weight
    if factor is not None:
        weight = factor if weight is None else weight * factor
    if weight is not None:
        weight = weight * (len(table.visits) / table.total)
    return optim.RowSum.build(
        X,
        target,
        weight,
        loss_of(estimator),
        penalty_of(estimator),
        visits=table.visits,
        intercept=bool(estimator.fit_intercept),
        n_threads=estimator_threads(estimator),
        squares=table.squares,
    )


def continued(estimator, rows: optim.RowSum, start: Floats, k: int = 0) -> optim.Progress:
    """Where the last call of ``partial_fit`` or ``fit`` ended, for output ``k``."""
    if hasattr(estimator, "_progress"):
        return estimator._progress[k]
    w = rows.pad(start)
    mean = w.copy() if estimator.average else None
    return optim.Progress(w, mean, getattr(estimator, "t_", 0), getattr(estimator, "n_iter_", 0))


def estimator_threads(estimator) -> int:
    """Threads that the estimator may use."""
    return threads.count(getattr(estimator, "n_jobs", None))


def solve_tasks(estimator, tasks, *, max_iter, tol, callback=None) -> list[Solution]:
    """Solve one task per output, by threads where there are several."""
    seed = seed_of(estimator)

    def solve(task: Task) -> Solution:
        smoothness = 1.0
        if estimator.learning_rate == "optimal":
            smoothness = task.rows.usual_smoothness
        return optim.run_epochs(
            task.rows,
            solver_of(estimator, smoothness, seed=seed, max_iter=max_iter),
            task.start,
            tol=tol,
            patience=estimator.n_iter_no_change,
            progress=task.progress,
            monitor=task.monitor,
            callback=callback,
        )

    n_threads = min(len(tasks), estimator_threads(estimator))
    if n_threads == 1:
        return [solve(task) for task in tasks]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(solve, tasks))


def gradient_note(solutions: list[Solution]) -> tuple[str, ...]:
    """The gradient norm at the answer, as a note for the report."""
    norms = [s.extras.get("gradient_norm") for s in solutions]
    known = [norm for norm in norms if norm is not None]
    return (f"gradient norm {max(known):.3g} at the coefficients",) if known else ()
