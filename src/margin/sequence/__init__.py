"""Sequences: Markov chains, hidden Markov models."""

from margin.core import publish
from margin.sequence.hidden_markov._categorical_hmm import CategoricalHMM
from margin.sequence.hidden_markov._gaussian_hmm import GaussianHMM
from margin.sequence.hidden_markov._hidden_markov_model import HiddenMarkovModel
from margin.sequence.hidden_markov._poisson_hmm import PoissonHMM
from margin.sequence.markov._markov_chain import MarkovChain

__all__ = [
    "CategoricalHMM",
    "GaussianHMM",
    "HiddenMarkovModel",
    "MarkovChain",
    "PoissonHMM",
]

publish(__name__)
