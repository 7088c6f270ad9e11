"""Sequences: Markov chains, hidden Markov models, state space, autoregression, switching."""

from margin.core import publish
from margin.sequence._per_step import PerStep
from margin.sequence.autoregressive._auto_regression import AutoRegression
from margin.sequence.autoregressive._companion import companion
from margin.sequence.autoregressive._time_varying import TimeVaryingAutoRegression
from margin.sequence.dynamic_network._dynamic_bayesian_network import DynamicBayesianNetwork
from margin.sequence.hidden_markov._categorical_hmm import CategoricalHMM
from margin.sequence.hidden_markov._discriminative_hmm import DiscriminativeHMM
from margin.sequence.hidden_markov._gaussian_hmm import GaussianHMM
from margin.sequence.hidden_markov._gmm_hmm import GMMHMM
from margin.sequence.hidden_markov._hidden_markov_model import HiddenMarkovModel
from margin.sequence.hidden_markov._hmmlearn import from_hmmlearn
from margin.sequence.hidden_markov._poisson_hmm import PoissonHMM
from margin.sequence.hidden_markov.durations._semi_markov_hmm import SemiMarkovHMM
from margin.sequence.hidden_markov.inputs._input_hmm import InputHMM
from margin.sequence.hidden_markov.variational._variational_categorical_hmm import (
    VariationalCategoricalHMM,
)
from margin.sequence.hidden_markov.variational._variational_gaussian_hmm import (
    VariationalGaussianHMM,
)
from margin.sequence.hidden_markov.variational._variational_poisson_hmm import VariationalPoissonHMM
from margin.sequence.markov._chain_mixture import MarkovChainMixture
from margin.sequence.markov._markov_chain import MarkovChain
from margin.sequence.markov._page_rank import PageRank, page_rank
from margin.sequence.markov_regression._ar_hmm import ARHMM
from margin.sequence.state_space._bayesian_system import BayesianLinearDynamicalSystem
from margin.sequence.state_space._linear_dynamical_system import LinearDynamicalSystem
from margin.sequence.state_space._observed_system import ObservedLinearSystem, propagate
from margin.sequence.state_space._statsmodels import from_statsmodels
from margin.sequence.state_space._structural_time_series import StructuralTimeSeries
from margin.sequence.switching._switching_auto_regression import SwitchingAutoRegression
from margin.sequence.switching._switching_linear_dynamical_system import (
    SwitchingLinearDynamicalSystem,
)

__all__ = [
    "ARHMM",
    "GMMHMM",
    "AutoRegression",
    "BayesianLinearDynamicalSystem",
    "CategoricalHMM",
    "DiscriminativeHMM",
    "DynamicBayesianNetwork",
    "GaussianHMM",
    "HiddenMarkovModel",
    "InputHMM",
    "LinearDynamicalSystem",
    "MarkovChain",
    "MarkovChainMixture",
    "ObservedLinearSystem",
    "PageRank",
    "PerStep",
    "PoissonHMM",
    "SemiMarkovHMM",
    "StructuralTimeSeries",
    "SwitchingAutoRegression",
    "SwitchingLinearDynamicalSystem",
    "TimeVaryingAutoRegression",
    "VariationalCategoricalHMM",
    "VariationalGaussianHMM",
    "VariationalPoissonHMM",
    "companion",
    "from_hmmlearn",
    "from_statsmodels",
    "page_rank",
    "propagate",
]

publish(__name__)
