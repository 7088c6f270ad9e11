"""What a hidden Markov model with known parameters answers."""

from abc import ABC, abstractmethod
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Sequences, check, threads
from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.inference import (
    ChainFilter,
    chain_decode,
    chain_filter,
    chain_filter_last,
    chain_k_best,
    chain_log_likelihood,
    chain_predict,
    chain_sample,
    chain_smooth,
    chain_viterbi,
    chain_walk,
)
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.hidden_markov._data import Observed, observed
from margin.sequence.hidden_markov._forecast import mixed_steps
from margin.sequence.hidden_markov._learning import Parameters
from margin.sequence.hidden_markov.emissions._emission import Emission


class HiddenChain(BaseEstimator, ABC):
    """A chain of hidden states, start and transitions known, and what each state shows."""

    n_states: Any
    decoding: Any
    random_state: Any
    n_jobs: Any
    start_: Floats
    transition_: Floats
    n_features_in_: int
    _learned: Emission
    _parameters: Parameters
    _next: Floats

    @abstractmethod
    def _groups(self) -> Places:
        """The law that each state shows."""

    @property
    def emission_(self) -> Any:
        """What each state shows: a distribution with a member for each law."""
        check_is_fitted(self)
        return self._learned.members(self._parameters.laws)

    def _rows(self, data: Observed) -> Floats:
        """Rows as the emission takes them."""
        return data.rows

    def _asked(self, X: Any, lengths: Any) -> Observed:
        check_is_fitted(self)
        return observed(self, X, lengths, n_features=self.n_features_in_)

    def _shown(self, rows: Floats, n_threads: int) -> Floats:
        """Log density of rows, as the emission takes them, in every state."""
        table = self._learned.log_prob(self._parameters.laws, rows, n_threads)
        return np.ascontiguousarray(table[:, self._groups()])

    def _table(self, X: Any, lengths: Any) -> tuple[Observed, Floats]:
        data = self._asked(X, lengths)
        return data, self._shown(self._rows(data), threads.count(self.n_jobs))

    def _continued(self, data: Observed) -> Floats:
        """State at the first step after the last sequence."""
        last = data.last()
        rows, n_threads = self._rows(last), threads.count(self.n_jobs)
        state, value = chain_filter_last(
            lambda a, b: self._shown(rows[a:b], n_threads), len(rows), *self._chain()
        )
        return self.start_ if value == -np.inf else chain_predict(state, self.transition_, 1)

    def _chain(self) -> tuple[Floats, Floats]:
        return self.start_, self.transition_

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log likelihood of every sequence; minus infinity where it is impossible.

        Parameters
        ----------
        X, lengths
            As in :meth:`fit`.
        """
        return self._log_prob(self._asked(X, lengths))

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log likelihood per step, all sequences together; ``y`` is not used."""
        data = self._asked(X, lengths)
        return float(self._log_prob(data).sum() / len(data.rows))

    def _log_prob(self, data: Observed) -> Floats:
        n_threads = threads.count(self.n_jobs)
        table = self._shown(self._rows(data), n_threads)
        return chain_log_likelihood(table, data.offsets, *self._chain(), n_threads=n_threads)

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable states, jointly or step by step according to ``decoding``."""
        if self.decoding == "posterior":
            data, posterior, _ = self._posterior(X, lengths)
            return data.returned(chain_decode(posterior))
        return self.decode(X, lengths=lengths)[0]

    def decode(self, X: Any, *, lengths: Any = None) -> tuple[Any, Floats]:
        """Most probable paths, and the log probability of each with its observations."""
        data, table = self._table(X, lengths)
        n_threads = threads.count(self.n_jobs)
        path, values = chain_viterbi(table, data.offsets, *self._chain(), n_threads=n_threads)
        self._refuse(values)
        return data.returned(path), values

    def best_paths(self, X: Any, k: int) -> tuple[Any, Floats]:
        """The ``k`` most probable paths of one sequence, best first, and their log values."""
        data, table = self._table(X, None)
        if data.n != 1:
            raise check.fail(self, "X", "one sequence", f"{data.n}")
        paths, values = chain_k_best(table, *self._chain(), k)
        self._refuse(values if len(values) else np.array([-np.inf]))
        return paths, values

    def posterior(self, X: Any, *, lengths: Any = None) -> Any:
        """Smoothed states: probability of every state at every step given the whole sequence."""
        data, posterior, _ = self._posterior(X, lengths)
        return data.returned(posterior)

    predict_proba = posterior

    def filter(self, X: Any, *, lengths: Any = None) -> Any:
        """Filtered states: probability of every state given what was seen up to the step."""
        data, filtered = self._filtered(X, lengths)
        return data.returned(filtered)

    def query(self, X: Any, times: ArrayLike, *, lengths: Any = None) -> Any:
        """States at given times of every sequence, given all of it; later ones are predicted.

        Parameters
        ----------
        X, lengths
            As in :meth:`fit`.
        times : array-like of int
            Steps from 0; from the length on they lie in the future.

        Returns
        -------
        ndarray of shape (n_sequences, len(times), n_states)
        """
        data, posterior, _ = self._posterior(X, lengths)
        at = asked(self, times, 0, beyond=True)
        answer = np.empty((data.n, len(at), self.n_states))
        for s, (first, last) in enumerate(zip(data.offsets[:-1], data.offsets[1:], strict=True)):
            for place, t in enumerate(at):
                inside = first + t < last
                ahead = int(t - (last - first) + 1)
                answer[s, place] = (
                    posterior[first + t] if inside else self._ahead(posterior[first:last], ahead)
                )
        return answer

    def forecast(self, h: int = 1, X: Any = None, *, lengths: Any = None) -> Any:
        """Laws of the next ``h`` observations, a mixture over the states for each step.

        Parameters
        ----------
        h : int
        X : as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default.
        lengths : array-like of int, optional

        Returns
        -------
        distribution with a member for each step, or a list of them
            A list where a list of sequences was given.
        """
        check_is_fitted(self)
        steps, groups = horizon(self, h), self._groups()
        belongs = np.eye(int(groups.max()) + 1)[groups]
        answers = []
        begun, many = self._begun(X, lengths)
        for first in begun:
            ahead = [first]
            for _ in range(steps - 1):
                ahead.append(ahead[-1] @ self.transition_)
            answers.append(mixed_steps(np.array(ahead) @ belongs, self.emission_))
        return answers if many else answers[0]

    def _begun(self, X: Any, lengths: Any) -> tuple[list[Floats], bool]:
        """State at the first step after each sequence, and whether there are many of them."""
        if X is None:
            return [self._next], False
        data, filtered = self._filtered(X, lengths)
        ends = [self._ahead(filtered[first:last], 1) for first, last in pairwise(data.offsets)]
        return ends, data.given != "one"

    def _ahead(self, states: Floats, steps: int) -> Floats:
        if len(states):
            return chain_predict(states[-1], self.transition_, steps)
        return chain_predict(self.start_, self.transition_, steps - 1)

    def online(self) -> ChainFilter:
        """The belief before anything is seen, to be followed step by step."""
        check_is_fitted(self)
        return ChainFilter(self.start_, self.transition_)

    def log_emission(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log density of every row in every state, of shape (total, n_states)."""
        return self._table(X, lengths)[1]

    def sample_states(
        self, X: Any, n: int = 1, *, lengths: Any = None, random_state: Any = None
    ) -> Any:
        """``n`` paths from the posterior of the states, of shape (n, total)."""
        data, filtered = self._filtered(X, lengths)
        rng = generator(self.random_state if random_state is None else random_state)
        return chain_sample(filtered, data.offsets, self.transition_, n, rng)

    def sample(
        self, n: int = 1, length: int | ArrayLike = 100, *, random_state: Any = None
    ) -> tuple[Sequences, Sequences]:
        """``n`` sequences drawn from the model, and the states behind them.

        Parameters
        ----------
        n : int
        length : int or array-like of shape (n,)
        random_state : None, int or Generator
            That of the model by default.
        """
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        lengths = np.broadcast_to(np.asarray(length, dtype=np.intp), (n,))
        path = chain_walk(self.start_, self.transition_, lengths, rng)
        laws, shown = self.emission_, self._groups()[path]
        rows = np.empty((len(path), self.n_features_in_))
        for law in np.unique(shown):
            here = np.flatnonzero(shown == law)
            rows[here] = np.reshape(laws[int(law)].sample(len(here), rng), (len(here), -1))
        return Sequences(rows, lengths=lengths), Sequences(path, lengths=lengths)

    def _posterior(self, X: Any, lengths: Any) -> tuple[Observed, Floats, Floats]:
        data, table = self._table(X, lengths)
        n_threads = threads.count(self.n_jobs)
        smoothed = chain_smooth(table, data.offsets, *self._chain(), n_threads=n_threads)
        self._refuse(smoothed.log_likelihood)
        return data, smoothed.posterior, smoothed.log_likelihood

    def _filtered(self, X: Any, lengths: Any) -> tuple[Observed, Floats]:
        data, table = self._table(X, lengths)
        n_threads = threads.count(self.n_jobs)
        states, values = chain_filter(table, data.offsets, *self._chain(), n_threads=n_threads)
        self._refuse(values)
        return data, states

    def _refuse(self, values: Floats) -> None:
        bad = np.flatnonzero(values == -np.inf)
        if len(bad):
            raise check.fail(self, "X", "possible under the model", f"sequence {bad[0]}")

    @property
    def n_parameters_(self) -> int:
        """Free parameters: those of the laws, and probabilities that are not structurally zero."""
        check_is_fitted(self)
        free = int((self.start_ > 0).sum()) - 1
        free += int((self.transition_ > 0).sum()) - self.n_states
        return int(free + self._learned.n_parameters(self._parameters.laws))

    def aic(self, X: Any, *, lengths: Any = None) -> float:
        """Akaike's criterion on these sequences; lower is better."""
        return 2.0 * self.n_parameters_ - 2.0 * float(self.log_prob(X, lengths=lengths).sum())

    def bic(self, X: Any, *, lengths: Any = None) -> float:
        """Schwarz's criterion on these sequences, a step being an observation; lower is better."""
        steps = len(observed(self, X, lengths).rows)
        value = float(self.log_prob(X, lengths=lengths).sum())
        return float(self.n_parameters_ * np.log(steps) - 2.0 * value)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags
