"""Markov chains of any order."""

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, Solution, Status, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import Categorical, Dirichlet
from margin.inference import (
    LongRun,
    chain_filter,
    chain_walk,
    expectation_maximisation,
    hitting_times,
    long_run,
    mixing_time,
)
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.markov._chain_learning import ChainLearning, Chains
from margin.sequence.markov._contexts import (
    Coded,
    coded,
    context_counts,
    shown_states,
)
from margin.sequence.markov._gaps import forward, learn_with_gaps, normalised
from margin.sequence.markov._probabilities import log_probabilities, state_posteriors


class MarkovChain(BaseEstimator):
    r"""Markov chain of order ``m``: the next state depends on the last ``m`` (sequence.01).

    .. math:: p(v_{1:T}) = p(v_1) \prod_{t=2}^T p(v_t \mid v_{t-m}, \dots, v_{t-1}), \qquad
              p(j \mid c) = \frac{n_{cj} + u - 1}{\sum_j (n_{cj} + u - 1)}

    Fitted by counting; with ``prior`` :math:`u > 1` it is the mode of the Dirichlet posterior of
    every row, whose parameters are the prior **plus** the counts (sequence.04). Contexts that were
    never seen predict evenly. The first ``m`` states of a sequence follow chains of lower order.

    Parameters
    ----------
    order : int
        Memory ``m``; 0 is independent draws.
    n_states : int, optional
        States 0, 1, …; as many as are seen by default.
    prior : float
        Dirichlet concentration :math:`u` of every row, at least 1.

    Attributes
    ----------
    start_ : ndarray of shape (K,)
        Of the first state.
    transition_ : ndarray of shape (K**order, K)
        Row ``c`` is the context :math:`v_{t-m} \dots v_{t-1}` read as a number of base ``K``;
        entry (i, j) of a chain of order 1 goes from i to j.
    counts_ : ndarray of shape (K**order, K)
        Transitions seen.
    posterior_ : Dirichlet
        Of the rows of ``transition_``.
    n_parameters_ : int
        :math:`K^m (K - 1)`, transitions only.
    fit_report_ : FitReport

    Notes
    -----
    NaN means unobserved and is summed over exactly: by expectation maximisation in ``fit``, by
    messages in ``log_prob``. Chains of order 2 and above refuse it.

    Examples
    --------
    >>> chain = MarkovChain().fit([[0, 0, 0, 1, 0, 0, 1, 1, 0, 0]])
    >>> chain.transition_.round(3)
    array([[0.667, 0.333],
           [0.667, 0.333]])
    >>> MarkovChain.of([[0.9, 0.1], [0.5, 0.5]]).stationary().round(6)
    array([0.833333, 0.166667])
    """

    card = Card(tasks=("density",), input="sequences", search_space={"order": [0, 1, 2, 3]})

    def __init__(self, order: int = 1, *, n_states: int | None = None, prior: float = 1.0) -> None:
        self.order = order
        self.n_states = n_states
        self.prior = prior

    @classmethod
    def of(cls, transition: ArrayLike, start: ArrayLike | None = None) -> "MarkovChain":
        """A chain of order 1 that is known; it starts evenly by default."""
        A = np.array(transition, dtype=np.float64)
        long_run(A)  # refuses what is no transition matrix
        model = cls(n_states=len(A))
        model.start_ = np.full(len(A), 1 / len(A)) if start is None else np.asarray(start, float)
        model.lower_ = (model.start_[None],)
        model.transition_, model.counts_ = A, np.zeros_like(A)
        model.n_states_, model.n_features_in_ = len(A), 1
        model._last = np.zeros(0, dtype=np.int64)
        return model

    def _check(self) -> None:
        if not isinstance(self.order, int | np.integer) or self.order < 0:
            raise check.fail(self, "order", "an integer of at least 0", self.order)
        if self.n_states is not None:
            check.params(self, count="n_states")
        check.params(self, positive="prior")
        if self.prior < 1:
            raise check.fail(self, "prior", "a number of at least 1", self.prior)

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Count transitions.

        Parameters
        ----------
        X : list of arrays of states, Sequences, or one array
            NaN means unobserved, and is summed over.
        y : ignored
        lengths : array-like of int, optional
        sample_weight : array-like of shape (n_sequences,), optional
        """
        self._check()
        data = coded(self, X, lengths, self.n_states)
        weight = check.weights(self, sample_weight, data.n)
        k = data.n_states
        if k ** (self.order + 1) > 50_000_000:
            if k > 7000 and self.n_states is None:
                raise check.fail(self, "X", "states 0, 1, … below 7000", f"{k - 1:.3g}")
            raise check.fail(
                self, "order", f"small enough for {k} states (tables below 5e7)", self.order
            )
        counts = [
            context_counts(data, m, weight, first=m < self.order) for m in range(self.order + 1)
        ]
        tables = [normalised(c, float(self.prior)) for c in counts]
        solution = Solution(None, Status.CONVERGED, 1, 0.0, solver="counting")
        if (data.codes < 0).any() and self.order > 1:
            solution = learn_with_gaps(data, int(self.order), weight, float(self.prior))
            tables, counts = list(solution.x), list(solution.extras["statistics"])
        elif (data.codes < 0).any() and self.order:
            solution = _with_gaps(data, weight, float(self.prior))
            tables = [solution.x.start, solution.x.transition[0]]
            counts = [*counts[:-1], solution.extras["statistics"][2][0]]
        self.lower_ = tuple(tables[:-1]) if self.order else ()
        self.transition_, self.counts_ = tables[-1], counts[-1]
        self.start_ = tables[0][0]
        self.n_states_, self.n_features_in_ = k, 1
        self._last = next(codes for codes in reversed(list(data)) if len(codes)).copy()
        if solution.solver == "counting":
            value = self.log_prob(X, lengths=lengths)
            total = float(value.sum() if weight is None else weight @ value)
            solution = replace(solution, objective=-total)
        self.fit_report_ = check.report(self, solution)
        return self

    @property
    def posterior_(self) -> Dirichlet:
        """Posterior of the rows of ``transition_``: Dirichlet with prior plus counts."""
        check_is_fitted(self)
        return Dirichlet(self.counts_ + float(self.prior))

    @property
    def n_parameters_(self) -> int:
        """Free parameters of the transitions."""
        check_is_fitted(self)
        return int(self.transition_.shape[0] * (self.n_states_ - 1))

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log probability of every sequence; unobserved states are summed over."""
        check_is_fitted(self)
        data = coded(self, X, lengths, self.n_states_)
        return log_probabilities(data, (*self.lower_, self.transition_))

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log probability per step, all sequences together."""
        data: Coded = coded(self, X, lengths, self.n_states_)
        return float(self.log_prob(X, lengths=lengths).sum() / len(data.codes))

    def query(self, X: Any, times: Any, *, lengths: Any = None) -> Floats:
        """States at given times of every sequence, given all that was seen of it.

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
        check_is_fitted(self)
        data = coded(self, X, lengths, self.n_states_)
        at = asked(self, times, 0, beyond=True)
        answers = np.empty((data.n, len(at), self.n_states_))
        for i, codes in enumerate(data):
            more = np.full(max(int(at.max(initial=-1)) + 1 - len(codes), 0), -1)
            whole = np.concatenate([codes, more])
            states = state_posteriors(whole, (*self.lower_, self.transition_))
            if len(whole) and not states.any():
                raise check.fail(self, "X", "possible under the model", f"sequence {i}")
            answers[i] = states[at]
        return answers

    def sample(
        self, n: int = 1, length: int | ArrayLike = 100, *, random_state: Any = None
    ) -> Sequences:
        """``n`` walks of the given length or lengths."""
        check_is_fitted(self)
        rng = generator(random_state)
        lengths = np.broadcast_to(np.asarray(length, dtype=np.intp), (n,))
        if self.order == 1:
            path = chain_walk(self.start_, self.transition_, lengths, rng)
            return Sequences(path, lengths=lengths)
        tables = (*self.lower_, self.transition_)
        walks = []
        for size in lengths:
            walk: list[int] = []
            for level in rng.random(int(size)):
                m = min(len(walk), self.order)
                context = 0
                for state in walk[len(walk) - m :]:
                    context = context * self.n_states_ + state
                total = np.cumsum(tables[m][context])
                walk.append(int(np.searchsorted(total, level * total[-1], side="right")))
            walks.append(np.array(walk, dtype=np.int32))
        return Sequences(walks)

    def forecast(self, h: int = 1, X: Any = None, *, lengths: Any = None) -> Any:
        """Laws of the next ``h`` states.

        Parameters
        ----------
        h : int
        X : as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default. Any states may
            be unobserved.
        lengths : array-like of int, optional

        Returns
        -------
        Categorical of shape (h,), or a list of them where a list of sequences was given
        """
        check_is_fitted(self)
        steps, many = horizon(self, h), False
        if X is None:
            begun = [self._last]
        else:
            data = coded(self, X, lengths, self.n_states_)
            begun, many = list(data), data.given != "one"
        answers = []
        for codes in begun:
            law, ahead = self._context(codes), []
            for _ in range(steps):
                ahead.append(law @ self.transition_)
                law = self._moved(law)
            answers.append(Categorical(np.array(ahead)))
        return answers if many else answers[0]

    def _context(self, codes: Any) -> Floats:
        """Probabilities of the contexts after some states."""
        k, m = self.n_states_, int(self.order)
        if m == 1 and (codes < 0).any():
            table = shown_states(Coded(codes, np.array([0, len(codes)]), k, "one"))
            states, value = chain_filter(table, [0, len(codes)], self.start_, self.transition_)
            if value[0] == -np.inf:
                raise check.fail(self, "X", "possible under the model", "a sequence that is not")
            return np.asarray(states[-1])
        if len(codes) < m:
            raise check.fail(self, "X", f"at least {m} steps", len(codes))
        last = codes[len(codes) - m :]
        if (last < 0).any():
            laws, known = forward(codes, (*self.lower_, self.transition_))
            if known == -np.inf:
                raise check.fail(self, "X", "possible under the model", "a sequence that is not")
            return laws[-1]
        law = np.zeros(k**m)
        law[int(last @ k ** np.arange(m - 1, -1, -1)) if m else 0] = 1.0
        return law

    def _moved(self, law: Floats) -> Floats:
        """Probabilities of the contexts a step later."""
        if not self.order:
            return law
        joint = law[:, None] * self.transition_
        return np.asarray(joint.reshape(self.n_states_, -1).sum(axis=0))

    def as_first_order(self) -> Floats:
        """The chain of contexts: order ``m`` over K states is order 1 over K**m of them."""
        check_is_fitted(self)
        if self.order <= 1:
            return np.asarray(self.transition_ if self.order else np.ones((1, 1)))
        k, size = self.n_states_, self.n_states_**self.order
        table = np.zeros((size, size))
        for context in range(size):
            after = (context * k) % size
            table[context, after : after + k] = self.transition_[context]
        return table

    def marginals(self, steps: int, transitions: Any = None) -> Floats:
        r"""Distribution of the state at steps 1 to ``steps``, :math:`p_{t+1} = p_t A_t`.

        Parameters
        ----------
        steps : int
        transitions : sequence of array-like of shape (K, K), optional
            One for each step, of a chain that changes with time; the fitted one by default.
        """
        check_is_fitted(self)
        if self.order != 1:
            raise check.fail(self, "order", "1", self.order)
        laws = [np.asarray(self.start_)]
        for t in range(steps - 1):
            A = self.transition_ if transitions is None else np.asarray(transitions[t], dtype=float)
            laws.append(laws[-1] @ A)
        return np.array(laws)

    def long_run(self) -> LongRun:
        """Closed classes, periods and stationary distributions of the chain of contexts."""
        return long_run(self.as_first_order())

    def stationary(self) -> Floats:
        """The stationary distribution of the states; a warning where it is not the only one.

        A periodic chain does not go there, which a warning says as well (sequence.02).
        """
        where = self.long_run()
        if not where.unique:
            told = f"{len(where.closed)} closed classes, each with a stationary distribution"
            warnings.warn(f"MarkovChain: the chain has {told}; the first is given", stacklevel=2)
        elif where.periods[0] > 1:
            told = f"period {where.periods[0]}: it has no equilibrium"
            warnings.warn(f"MarkovChain: the chain has {told}", stacklevel=2)
        law = where.stationary[0]
        if self.order == 0:
            return np.asarray(self.transition_[0])
        return np.asarray(law.reshape(-1, self.n_states_).sum(axis=0))

    def hitting_times(self, targets: ArrayLike) -> Floats:
        """Expected steps to one of the states ``targets``, from every state (order 1)."""
        return hitting_times(self.as_first_order(), targets)

    def mixing_time(self, distance: float = 0.25) -> int:
        """Steps after which the start is forgotten, up to a distance (order 1)."""
        return mixing_time(self.as_first_order(), distance=distance)

    def order_test(
        self, X: Any, other: "MarkovChain", *, lengths: Any = None
    ) -> tuple[float, float]:
        r"""Likelihood ratio test of this chain against one of higher order.

        Returns
        -------
        statistic, p_value : float
            :math:`2 (\ell_\text{other} - \ell_\text{self})` on transitions that both explain, and
            the tail of a :math:`\chi^2` with as many degrees of freedom as parameters are added.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        if other.n_states_ != self.n_states_:
            raise check.fail(self, "other", f"over {self.n_states_} states", other.n_states_)
        if other.order <= self.order:
            raise check.fail(self, "other", f"of an order above {self.order}", other.order)
        data = coded(self, X, lengths, self.n_states_)
        counts = context_counts(data, other.order, None, first=False)
        wide, k = counts.shape[0], self.n_states_
        here = self.transition_[np.arange(wide) % k**self.order]
        seen = counts > 0
        for chain, table in ((self, here), (other, other.transition_)):
            if (table[seen] == 0).any():
                context, state = np.argwhere(seen & (table == 0))[0]
                told = f"state {state} after context {context}, which one of order {chain.order} "
                raise check.fail(self, "X", "possible under both chains", f"{told}rules out")
        gain = 2.0 * float((counts[seen] * np.log(other.transition_[seen] / here[seen])).sum())
        free = other.n_parameters_ - self.n_parameters_
        return gain, float(chi2.sf(gain, free))

    def aic(self, X: Any, *, lengths: Any = None) -> float:
        """Akaike's criterion; lower is better."""
        return 2.0 * self.n_parameters_ - 2.0 * float(self.log_prob(X, lengths=lengths).sum())

    def bic(self, X: Any, *, lengths: Any = None) -> float:
        """Schwarz's criterion; lower is better."""
        steps = len(coded(self, X, lengths, self.n_states_).codes)
        value = float(self.log_prob(X, lengths=lengths).sum())
        return float(self.n_parameters_ * np.log(max(steps, 1)) - 2.0 * value)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags


def _with_gaps(data: Coded, weight: Floats | None, prior: float) -> Solution:
    """A chain of order 1 from sequences with unobserved states."""
    k = data.n_states
    each = np.ones(data.n) if weight is None else weight
    problem = ChainLearning(data, each, prior)
    first, pairs = problem.seeds(each[:, None])
    start, transition = first + 1.0 / k, pairs + 1.0 / k
    begin = Chains(
        np.ones(1),
        start / start.sum(axis=-1, keepdims=True),
        transition / transition.sum(axis=-1, keepdims=True),
    )
    return expectation_maximisation(
        problem.expect, problem.maximise, [begin], tol=1e-9, max_iter=2000
    )
