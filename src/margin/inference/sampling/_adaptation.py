"""What a chain learns during its warm-up: the length and the shape of its steps."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats


class DualAveraging:
    r"""A step size that brings the mean acceptance to a target.

    .. math:: \log\epsilon_t = \mu - \frac{\sqrt t}{\gamma (t + t_0)} \sum_{i \le t} (\delta - a_i)

    The steps taken wander more and more slowly; their weighted mean is the answer.

    Parameters
    ----------
    first : float
        Step to begin with.
    target : float
        Acceptance wanted, :math:`\delta`.

    Examples
    --------
    >>> size = DualAveraging(1.0, 0.8)
    >>> for _ in range(2000):
    ...     _ = size.learn(float(np.exp(-size.current)))
    >>> round(float(np.exp(-size.final)), 1)
    0.8
    """

    _GAMMA, _DELAY, _DECAY = 0.05, 10.0, 0.75

    def __init__(self, first: float, target: float) -> None:
        self.target, self.middle = target, np.log(10.0 * first)
        self.current = first
        self._count, self._gap, self._log_mean = 0, 0.0, np.log(first)

    def learn(self, acceptance: float) -> float:
        """The next step size, given the acceptance of the last."""
        self._count += 1
        count = self._count
        share = 1.0 / (count + self._DELAY)
        self._gap = (1 - share) * self._gap + share * (self.target - acceptance)
        log_step = self.middle - np.sqrt(count) / self._GAMMA * self._gap
        weight = count**-self._DECAY
        self._log_mean = weight * log_step + (1 - weight) * self._log_mean
        self.current = float(np.exp(log_step))
        return self.current

    @property
    def final(self) -> float:
        """The mean of the steps, late ones counting more."""
        return float(np.exp(self._log_mean))


class Spread:
    r"""The covariance of states as they come, drawn towards its diagonal where they are few.

    .. math:: (1 - \lambda) S + \lambda \operatorname{diag}(S)

    in units of the deviations, with the :math:`\lambda` of least expected squared error, estimated
    from the states themselves: dense matrices from fewer states than dimensions are of use, and
    strong correlations survive.

    Parameters
    ----------
    dense : bool
        Whether more than the variances is asked for.

    Examples
    --------
    >>> seen = Spread(dense=False)
    >>> for x in (1.0, 3.0) * 500:
    ...     seen.add(np.array([x]))
    >>> seen.count, seen.shrunk().round(2)
    (1000, array([1.]))
    """

    def __init__(self, dense: bool = True) -> None:
        self.dense = dense
        self._states: list[Floats] = []

    @property
    def count(self) -> int:
        """States seen."""
        return len(self._states)

    def add(self, x: Floats) -> None:
        """Take note of a state."""
        self._states.append(x)

    def shrunk(self) -> Floats:
        """Covariance of shape (d, d), or variances of shape (d,); always positive."""
        n = self.count
        away = np.stack(self._states)
        away = away - away.mean(axis=0)
        raw = np.einsum("ij,ij->j", away, away) / n
        variances = raw * (n / (n + 5.0)) + 1e-3 * 5.0 / (n + 5.0)
        if not self.dense:
            return np.asarray(variances)
        unit = away / np.sqrt(np.where(raw > 0, raw, 1.0))
        correlation = unit.T @ unit / n
        off = correlation - np.diag(correlation.diagonal())
        noise = float(((unit**2).sum(axis=1) ** 2).mean() - (correlation**2).sum())
        share = np.clip(noise / n / max(float((off**2).sum()), 1e-300), 1e-4, 1.0)
        deviations = np.sqrt(variances)
        shape = (1 - share) * off + np.eye(len(variances))
        return np.asarray(shape * np.outer(deviations, deviations))


@dataclass(frozen=True)
class Windows:
    """When the shape of the steps is learnt: windows that double, between two stretches without.

    Examples
    --------
    >>> Windows.of(1000).ends
    (100, 150, 250, 450, 950)
    >>> Windows.of(10).ends
    ()
    """

    begin: int
    ends: tuple[int, ...]

    @classmethod
    def of(cls, n_warmup: int) -> "Windows":
        """Windows of a warm-up of so many steps."""
        if n_warmup < 20:
            return cls(n_warmup, ())
        begin, end, size = 75, n_warmup - 50, 25
        if n_warmup < 150:
            begin, end = int(0.15 * n_warmup), n_warmup - int(0.1 * n_warmup)
            return cls(begin, (end,))
        ends, at = [], begin
        while at < end:
            # A next window that would not fit whole is joined to this one.
            at = end if at + 3 * size > end else at + size
            ends.append(at)
            size *= 2
        return cls(begin, tuple(ends))
