"""The two steps of variational Bayes, for any conjugate belief about the laws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.distributions import Dirichlet
from margin.inference import Expectation, chain_smooth
from margin.sequence.hidden_markov._learning import Counts, Learning
from margin.sequence.hidden_markov._mass import hard_counts, refuse_impossible
from margin.sequence.hidden_markov._starts import begun_shares, noisy_uniform


@dataclass(frozen=True)
class Beliefs:
    """Concentrations of start (K,) and transitions (K, K), and a belief about the laws."""

    start: Floats
    transition: Floats
    laws: Any

    def logs(self) -> tuple[Floats, Floats]:
        """Expected logarithms of start and transitions."""
        first, steps = Dirichlet(self.start), Dirichlet(self.transition)
        return np.asarray(first.expected_log), np.asarray(steps.expected_log)

    def divergence(self, prior: "Beliefs") -> float:
        """From the prior; the belief about the laws there is one for all states."""
        value = np.sum(Dirichlet(self.start).kl(Dirichlet(prior.start)))
        value += np.sum(Dirichlet(self.transition).kl(Dirichlet(prior.transition)))
        return float(value + np.sum(self.laws.kl(prior.laws)))


@dataclass(frozen=True)
class VariationalLearning:
    r"""Data and prior of a fit.

    .. math:: \log p(v) \ge \sum_n \log \tilde Z_n - \mathrm{KL}(q(\theta), p(\theta)), \qquad
              \tilde\theta = \exp E_q[\log \theta]

    Parameters
    ----------
    problem : Learning
        The sequences, and the emission that makes statistics of them.
    prior : Beliefs
    plug_in : callable
        Laws, as the emission has them, of a belief: under them gaps are completed.
    """

    problem: Learning
    prior: Beliefs
    plug_in: Callable[[Any], Any]

    def expect(self, at: Beliefs) -> Expectation[Counts]:
        """Messages on expected logarithms: the bound, and expected statistics."""
        data = self.problem
        table = np.ascontiguousarray(at.laws.expected_log_prob(_given(data.rows, at.laws)))
        if data.allowed is not None:
            table = np.where(data.allowed, table, -np.inf)
        start, transition = (np.exp(logs) for logs in at.logs())
        smoothed = chain_smooth(
            table, data.offsets, start, transition, weight=data.weight, normalised=False,
            n_threads=data.n_threads,
        )  # fmt: skip
        values, share = smoothed.log_likelihood, smoothed.posterior
        refuse_impossible(values)
        total = float(values.sum() if data.weight is None else data.weight @ values)
        first = share[data.offsets[:-1][np.diff(data.offsets) > 0]].sum(axis=0)
        laws = data.emission.statistics(self.plug_in(at.laws), data.rows, share, data.n_threads)
        counts = Counts(first, smoothed.counts, share.sum(axis=0), laws)
        return Expectation(total - at.divergence(self.prior), counts)

    def maximise(self, counts: Counts, before: Beliefs) -> Beliefs:
        """Prior plus expected statistics; a state without any keeps the prior."""
        return self._after(counts.first, counts.pairs, counts.laws)

    def start(self, method: str, rng: np.random.Generator) -> Beliefs:
        """Beliefs after shares of the states that are a guess."""
        data, k = self.problem, len(self.prior.start)
        share = begun_shares(data, method, k, rng)
        own, pairs = hard_counts(share.argmax(axis=1), data.offsets, k, data.weight)
        first = own[data.offsets[:-1][np.diff(data.offsets) > 0]].sum(axis=0)
        if method == "random" and data.allowed is None:
            # Counts along states drawn at random would be equal rows: a saddle in time.
            pairs = pairs.sum() / k * noisy_uniform((k, k), 0.9, rng)
        share = share * data.row_weight()[:, None]
        laws = data.emission.statistics(None, data.rows, share, data.n_threads)
        return self._after(first + rng.random(k), pairs + 0.1 * rng.random((k, k)), laws)

    def _after(self, first: Floats, pairs: Floats, laws: Any) -> Beliefs:
        prior = self.prior
        return Beliefs(prior.start + first, prior.transition + pairs, prior.laws.posterior(laws))


def _given(rows: Floats, belief: Any) -> Floats:
    """Rows as the belief takes them: numbers alone where it is about one column."""
    one = rows.shape[1] == 1 and getattr(belief, "concentration", None) is not None
    return rows[:, 0] if one else rows
