"""Sequences: Markov chains, hidden Markov models."""

from margin.core import publish
from margin.sequence.hidden_markov._categorical_hmm import CategoricalHMM
from margin.sequence.hidden_markov._discriminative_hmm import DiscriminativeHMM
from margin.sequence.hidden_markov._gaussian_hmm import GaussianHMM
from margin.sequence.hidden_markov._gmm_hmm import GMMHMM
from margin.sequence.hidden_markov._hidden_markov_model import HiddenMarkovModel
from margin.sequence.hidden_markov._hmmlearn import from_hmmlearn
from margin.sequence.hidden_markov._input_hmm import InputHMM
from margin.sequence.hidden_markov._poisson_hmm import PoissonHMM
from margin.sequence.hidden_markov._semi_markov_hmm import SemiMarkovHMM
from margin.sequence.hidden_markov._variational_hmm import VariationalCategoricalHMM
from margin.sequence.markov._chain_mixture import MarkovChainMixture
from margin.sequence.markov._markov_chain import MarkovChain
from margin.sequence.markov._page_rank import PageRank, page_rank

__all__ = [
    "GMMHMM",
    "CategoricalHMM",
    "DiscriminativeHMM",
    "GaussianHMM",
    "HiddenMarkovModel",
    "InputHMM",
    "MarkovChain",
    "MarkovChainMixture",
    "PageRank",
    "PoissonHMM",
    "SemiMarkovHMM",
    "VariationalCategoricalHMM",
    "from_hmmlearn",
    "page_rank",
"""Sequences: state-space models, autoregression, switching models."""

from margin.core import publish
from margin.sequence.autoregressive._auto_regression import AutoRegression
from margin.sequence.autoregressive._companion import companion
from margin.sequence.state_space._linear_dynamical_system import LinearDynamicalSystem
from margin.sequence.state_space._observed_system import ObservedLinearSystem, propagate
from margin.sequence.state_space._structural_time_series import StructuralTimeSeries

__all__ = [
    "AutoRegression",
    "LinearDynamicalSystem",
    "ObservedLinearSystem",
    "StructuralTimeSeries",
    "companion",
    "propagate",
]

publish(__name__)
