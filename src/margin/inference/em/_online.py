"""Online expectation maximisation: statistics of the past blended with those of a batch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from margin.core import check
from margin.inference.em._point import Expectation, Repaired


@dataclass(frozen=True)
class StepSize:
    r"""Weight of the newest batch, :math:`\rho_t = (t + \text{delay})^{-\text{power}}`.

    With a power in (½, 1] the steps sum to infinity and their squares do not, as stochastic
    approximation asks; a power of 1 without delay averages all batches evenly.

    Parameters
    ----------
    delay : float
        Batches that the start is worth.
    power : float
        How fast the past wins.

    Examples
    --------
    >>> [round(StepSize(power=0.5)(t), 3) for t in (1, 2, 4)]
    [1.0, 0.707, 0.5]
    """

    delay: float = 0.0
    power: float = 0.6

    def __post_init__(self) -> None:
        check.params(self, nonnegative="delay", fraction="power")

    def __call__(self, step: int) -> float:
        """Weight of batch number ``step``, counted from 1."""
        return float(min(1.0, (step + self.delay) ** -self.power))


class OnlineState(NamedTuple):
    """Where online expectation maximisation stands.

    Parameters
    ----------
    parameters : Any
    statistics : Any
        The blend of the batches seen, ``None`` before the first.
    n_steps : int
        Batches seen.
    """

    parameters: Any
    statistics: Any = None
    n_steps: int = 0


@dataclass(frozen=True)
class OnlineSteps:
    r"""The two steps of online EM, for the driver :func:`expectation_maximisation` (inference.30).

    .. math:: s_t = (1 - \rho_t)\, s_{t-1} + \rho_t\, \bar s(\text{batch}_t; \theta_{t-1}), \qquad
              \theta_t = \operatorname{argmax}_\theta Q(\theta; s_t)

    Each iteration looks at one batch, so the bound is that of the batch and may fall
    (``monotone=None``); the driver's parameters are an :class:`OnlineState`.

    Parameters
    ----------
    expect_batch : callable
        ``expect_batch(parameters, t)`` is the E step on batch ``t``, counted from 0: a bound and
        statistics per unit of weight.
    maximise_batch : callable
        The M step.
    blend : callable
        ``blend(old, new, rate)`` is :math:`(1 - \rho)` of the old statistics and :math:`\rho` of
        the new ones.
    step_size : StepSize

    References
    ----------
    Cappé and Moulines (2009). On-line expectation-maximization algorithm for latent data models.
    Journal of the Royal Statistical Society B 71, 593-613.

    Examples
    --------
    The mean of a stream, which is its own statistic.

    >>> stream = [2.0, 4.0, 9.0]
    >>> steps = OnlineSteps(
    ...     lambda mean, t: Expectation(0.0, stream[t]),
    ...     lambda mean, _: mean,
    ...     lambda old, new, rate: (1 - rate) * old + rate * new,
    ...     StepSize(power=1.0),
    ... )
    >>> state = OnlineState(0.0)
    >>> for _ in stream:
    ...     state = steps.maximise(steps.expect(state).statistics, state)
    >>> state.parameters
    5.0
    """

    expect_batch: Callable[[Any, int], Expectation[Any]]
    maximise_batch: Callable[[Any, Any], Any]
    blend: Callable[[Any, Any, float], Any]
    step_size: StepSize = StepSize()

    def expect(self, at: OnlineState) -> Expectation[Any]:
        """The E step on the next batch."""
        return self.expect_batch(at.parameters, at.n_steps)

    def maximise(self, statistics: Any, at: OnlineState) -> Any:
        """The M step on the blend."""
        step = at.n_steps + 1
        if at.statistics is not None:
            statistics = self.blend(at.statistics, statistics, self.step_size(step))
        new = self.maximise_batch(statistics, at.parameters)
        if isinstance(new, Repaired):
            return Repaired(OnlineState(new.parameters, statistics, step), new.repairs)
        return OnlineState(new, statistics, step)
