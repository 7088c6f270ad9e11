"""What all hidden Markov models with a belief about their parameters share."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats, Places
from margin.distributions import Dirichlet
from margin.inference import variational_bayes
from margin.sequence.hidden_markov._answers import HiddenChain
from margin.sequence.hidden_markov._data import counted_sequences, observed, refuse_unseen
from margin.sequence.hidden_markov._learning import Learning, Parameters
from margin.sequence.hidden_markov.emissions._emission import Emission
from margin.sequence.hidden_markov.variational._variational_learning import (
    Beliefs,
    VariationalLearning,
)


class VariationalBase(HiddenChain):
    """The shared face; a subclass says what is believed of the laws beforehand."""

    start_prior: Any
    transition_prior: Any
    init: Any
    n_init: Any
    max_iter: Any
    tol: Any

    @abstractmethod
    def _emission(self, n_features: int) -> Emission:
        """Settings of the emission, not yet completed by data."""

    @abstractmethod
    def _prior(self, problem: Learning) -> Any:
        """Belief about the law of any state before the data."""

    @abstractmethod
    def _plug_in(self, belief: Any) -> Any:
        """Laws, as the emission has them, in the place of a belief about them."""

    def _groups(self) -> Places:
        return np.arange(self.n_states)

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from sequences by variational Bayes.

        Parameters
        ----------
        X : list of arrays, Sequences, or one array
            The sequences; NaN means unobserved.
        y : list of arrays of shape (T,), optional
            States that are known; -1 or NaN where they are not.
        lengths : array-like of int, optional
        sample_weight : array-like of shape (n_sequences,), optional
            How often each sequence counts.
        """
        check.params(
            self,
            count="n_states n_init max_iter",
            nonnegative="tol",
            positive="start_prior transition_prior",
            one_of={"decoding": ("viterbi", "posterior"), "init": ("kmeans", "random")},
        )
        data = observed(self, X, lengths)
        kept, allowed, weight = counted_sequences(self, data, y, sample_weight, self.n_states)
        refuse_unseen(self, kept)
        each, k = None if weight is None else np.repeat(weight, kept.lengths), self.n_states
        emission = self._emission(kept.rows.shape[1]).checked(self, kept.rows, each)
        problem = Learning(
            emission, kept.rows, kept.offsets, allowed, weight, np.arange(k),
            n_threads=threads.count(self.n_jobs),
        )  # fmt: skip
        prior = Beliefs(
            np.full(k, float(self.start_prior)),
            np.full((k, k), float(self.transition_prior)),
            self._prior(problem),
        )
        task, rng = VariationalLearning(problem, prior, self._plug_in), generator(self.random_state)

        solution = variational_bayes(
            task.expect,
            task.maximise,
            (task.start(self.init, rng) for _ in range(self.n_init)),
            tol=self.tol,
            max_iter=self.max_iter,
        )

        beliefs: Beliefs = solution.x
        self.fit_report_ = check.report(self, solution)
        self.lower_bound_ = -float(solution.objective)
        self.visits_: Floats = solution.extras["statistics"].visits
        self.start_posterior_ = Dirichlet(beliefs.start)
        self.transition_posterior_ = Dirichlet(beliefs.transition)
        self.emission_posterior_ = beliefs.laws
        self.start_ = beliefs.start / beliefs.start.sum()
        self.transition_ = beliefs.transition / beliefs.transition.sum(axis=1, keepdims=True)
        self._parameters = Parameters(self.start_, self.transition_, self._plug_in(beliefs.laws))
        self._learned = emission
        self.n_features_in_, self.n_iter_ = data.rows.shape[1], solution.n_iter
        self._next = self._continued(data)
        return self
