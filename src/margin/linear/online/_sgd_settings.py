"""From the words of scikit-learn's stochastic estimators to losses, penalties and solvers."""

from dataclasses import dataclass
from typing import Any

from margin import losses, optim, penalties
from margin.core import DistinctRows, distinct_rows, stored_rows
from margin.core.types import Array, Floats

RATES = ("optimal", "constant", "invscaling", "adaptive", "pa1", "pa2")
PENALTIES = ("l2", "l1", "elasticnet", None)
# Losses by their names, with the usual width of those that have one.
RESIDUAL_LOSSES: dict[str, tuple[Any, ...]] = {
    "squared_error": (losses.Squared,),
    "huber": (losses.Huber, 0.1),
    "epsilon_insensitive": (losses.EpsilonInsensitive, 0.1),
    "squared_epsilon_insensitive": (losses.SquaredEpsilonInsensitive, 0.1),
}
MARGIN_LOSSES: dict[str, tuple[Any, ...]] = {
    "hinge": (losses.Hinge,),
    "log_loss": (losses.Logistic,),
    "modified_huber": (losses.ModifiedHuber,),
    "squared_hinge": (losses.SquaredHinge,),
    "perceptron": (losses.Perceptron,),
}
_ADAPTIVE_DIVISOR = 5.0  # scikit-learn's


@dataclass(frozen=True)
class Settings:
    """All that a stochastic fit goes by, under the names of the estimators' parameters.

    Parameters
    ----------
    loss, epsilon : str, float
        Name of the loss, and the width that some of them have.
    penalty, alpha, l1_ratio : str or None, float, float
        Name, strength and mixture of the penalty.
    fit_intercept : bool
        Whether the last unknown is a constant.
    learning_rate, eta0, power_t : str, float, float
        Name of the step lengths, the first of them, and an exponent.
    average : bool or int
        Whether the answer is the mean of the iterates; a number: from that step on.
    shuffle : bool
        Whether every epoch has an order of its own.
    n_iter_no_change : int
        Epochs without progress that end the search.
    n_threads : int
        Threads of the passes over the rows.
    """

    loss: str
    epsilon: float
    penalty: str | None
    alpha: float
    l1_ratio: float | None
    fit_intercept: bool
    learning_rate: str
    eta0: float
    power_t: float
    average: bool | int
    shuffle: bool
    n_iter_no_change: int
    n_threads: int = 1

    @property
    def passive(self) -> bool:
        """Whether steps are passive-aggressive."""
        return self.learning_rate in ("pa1", "pa2")

    def loss_block(self) -> losses.Loss:
        """The loss that ``loss`` and ``epsilon`` name."""
        kind, *width = {**MARGIN_LOSSES, **RESIDUAL_LOSSES}[self.loss]
        block: losses.Loss = kind(self.epsilon) if width else kind()
        return block

    def penalty_block(self) -> penalties.Penalty:
        """The penalty that ``penalty``, ``alpha`` and ``l1_ratio`` describe."""
        if self.penalty is None or self.alpha == 0:
            return penalties.Zero()
        if self.penalty == "l2":
            return penalties.L2(self.alpha)
        if self.penalty == "l1":
            return penalties.L1(self.alpha)
        return penalties.ElasticNet(self.alpha, self.l1_ratio or 0.0)

    def solver(self, smoothness: float, *, seed: int, max_iter: int) -> optim.SGD:
        r"""The stochastic solver that the learning-rate parameters describe.

        ``"optimal"`` is :math:`1/(\alpha (t_0 + t))` with :math:`t_0` such that the first step is
        the inverse of the largest curvature of a row: no row can be overshot.
        """
        schedule: optim.Schedule
        if self.learning_rate == "optimal":
            bend = max(smoothness, self.alpha, 1e-300)
            schedule = optim.InverseTime(1.0 / bend, bend / self.alpha)
        elif self.learning_rate == "invscaling":
            schedule = optim.PowerDecay(self.eta0, max(0.0, float(self.power_t)))
        elif self.learning_rate == "adaptive":
            schedule = optim.DivideOnStall(self.eta0, _ADAPTIVE_DIVISOR)
        elif self.passive:
            schedule = optim.PassiveAggressive(self.eta0, self.learning_rate == "pa2")
        else:
            schedule = optim.Constant(self.eta0)
        return optim.SGD(
            max_iter=max_iter,
            schedule=schedule,
            average=optim.PolyakAverage(int(self.average) - 1) if self.average else None,
            shuffle=bool(self.shuffle),
            seed=seed,
        )

    def table(self, X: Any, y: Array, weight: Floats | None) -> DistinctRows:
        """Rows to visit: as they are stored, or in an order that depends on their contents."""
        if self.shuffle:
            return distinct_rows(X, y, weight, self.n_threads)
        return stored_rows(y, weight)

    def rows(
        self,
        X: Any,
        target: Floats,
        table: DistinctRows,
        factor: Floats | None = None,
        *,
        whole: bool = True,
    ) -> optim.RowSum:
        """Mean loss over the distinct rows, with ``factor`` per row for the weights of classes.

        Of the ``whole`` data the weights, those of the classes included, are taken relative to
        their mean; of a batch of a stream as they are, for the next batch may have another mean.
        Passive-aggressive steps are multiplied by the weights of the classes as they are.
        """
        weight = table.weight
        if whole and self.passive:
            weight = _relative(weight, table)
        if factor is not None:
            weight = factor if weight is None else weight * factor
        if whole and not self.passive:
            weight = _relative(weight, table)
        return optim.RowSum.build(
            X,
            target,
            weight,
            self.loss_block(),
            self.penalty_block(),
            visits=table.visits,
            intercept=bool(self.fit_intercept),
            n_threads=self.n_threads,
            squares=table.squares,
        )


def _relative(weight: Floats | None, table: DistinctRows) -> Floats | None:
    """Weights in units of their mean over the rows to visit."""
    total = 0.0 if weight is None else float(weight[table.visits].sum())
    return weight if weight is None or total <= 0 else weight * (len(table.visits) / total)
