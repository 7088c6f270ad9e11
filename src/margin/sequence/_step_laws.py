"""Laws of the next steps, one after the other, as one distribution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions import Distribution


@dataclass(frozen=True, eq=False, repr=False)
class StepLaws(Distribution):
    """A law for every step, each of any kind over the same space.

    Steps are looked at one by one: what binds them together is not in here.

    Parameters
    ----------
    laws : sequence of distributions
        One for each step.

    Examples
    --------
    >>> from margin.distributions import MixtureDistribution, Normal
    >>> near = MixtureDistribution([0.5, 0.5], Normal([-1.0, 1.0], 1.0))
    >>> ahead = StepLaws([near, MixtureDistribution([0.25, 0.75], Normal([-1.0, 1.0], 1.0))])
    >>> ahead.mean, len(ahead), float(ahead[1].mean)
    (array([0. , 0.5]), 2, 0.5)
    """

    laws: tuple[Any, ...]

    def __init__(self, laws: Sequence[Any]) -> None:
        if not len(laws):
            raise check.fail(self, "laws", "at least one law", "none")
        object.__setattr__(self, "laws", tuple(laws))

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of steps."""
        return (len(self.laws),)

    @property
    def event(self) -> tuple[int, ...]:
        """Shape of what is seen in a step."""
        return np.shape(self.laws[0].mean)

    def __len__(self) -> int:
        return len(self.laws)

    def __getitem__(self, key: int | slice) -> Any:
        """The law of a step, or those of some."""
        return type(self)(self.laws[key]) if isinstance(key, slice) else self.laws[key]

    @property
    def mean(self) -> Floats:
        return np.array([law.mean for law in self.laws])

    @property
    def var(self) -> Floats:
        return np.array([law.var for law in self.laws])

    def log_prob(self, x: ArrayLike) -> Floats:
        """Log density of what was seen in each step, of shape (..., h)."""
        return self._each(x, lambda law, part: law.log_prob(part), last=())

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x`` in every step, separately for every coordinate."""
        return self._each(x, lambda law, part: law.cdf(part), last=self.event)

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the ``cdf`` of every step reaches ``q``; an axis of ``q`` comes first."""
        answers = [np.asarray(law.quantile(q)) for law in self.laws]
        return np.stack(answers, axis=np.ndim(q))

    def sample(self, n: int, rng: Any) -> Floats:
        """``n`` draws of every step by itself, along a new first axis."""
        source = np.random.default_rng(rng)
        return np.stack([law.sample(n, source) for law in self.laws], axis=1)

    def marginal(self, idx: Any) -> Self:
        """Laws of the chosen coordinates."""
        return type(self)([law.marginal(idx) for law in self.laws])

    def condition(self, idx: Any, values: ArrayLike) -> Self:
        """Laws of the other coordinates given the same values in every step."""
        return type(self)([law.condition(idx, values) for law in self.laws])

    def _each(
        self, x: ArrayLike, ask: Callable[[Any, Floats], Any], last: tuple[int, ...]
    ) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        lead = at.shape[: max(at.ndim - 1 - len(self.event), 0)]
        every = np.broadcast_to(at, (*lead, len(self), *self.event))
        axis = len(lead)
        parts = [np.take(every, t, axis=axis) for t in range(len(self))]
        answers = [np.asarray(ask(law, part)) for law, part in zip(self.laws, parts, strict=True)]
        return np.stack(answers, axis=axis).reshape(*lead, len(self), *last)

    def __repr__(self) -> str:
        kinds = sorted({type(law).__name__ for law in self.laws})
        return f"StepLaws({len(self)} steps: {', '.join(kinds)})"


def horizon(owner: object, h: Any) -> int:
    """How many steps lie ahead: an integer of at least 1.

    Examples
    --------
    >>> horizon("MarkovChain", 0)
    Traceback (most recent call last):
    ValueError: MarkovChain: h must be an integer of at least 1, got 0
    """
    if isinstance(h, bool) or not isinstance(h, int | np.integer) or h < 1:
        raise check.fail(owner, "h", "an integer of at least 1", h)
    return int(h)
