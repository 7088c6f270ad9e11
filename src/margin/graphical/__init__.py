"""Graphical models: Bayesian and Markov networks that answer questions exactly."""

from margin.core import publish
from margin.graphical.answers._continuous_result import ContinuousResult
from margin.graphical.answers._mixed_result import ConditionalMoments, MixedResult
from margin.graphical.answers._plan import PlanReport
from margin.graphical.answers._result import AssignmentResult, QueryResult
from margin.graphical.cpds._gaussian_cpd import ConditionalGaussianCPD, LinearGaussianCPD
from margin.graphical.cpds._logistic_cpd import LogisticCPD, SoftmaxCPD
from margin.graphical.cpds._noisy_or import NoisyOr
from margin.graphical.cpds._table_cpd import TableCPD
from margin.graphical.engines._evidence import Soft, Virtual
from margin.graphical.independence._configurations import (
    ExplainingAway,
    elementary_configuration,
    explaining_away,
)
from margin.graphical.independence._joint_table import JointTable
from margin.graphical.independence._variable_order import best_order, pearl_construction
from margin.graphical.learning.markov._markov_learner import MarkovLearner
from margin.graphical.learning.parameters._dirichlet import DirichletNetwork
from margin.graphical.learning.parameters._parametric import fit_logistic, fit_noisy_or
from margin.graphical.learning.structure._chow_liu import TAN, ChowLiu
from margin.graphical.learning.structure._exact_search import ExactSearch
from margin.graphical.learning.structure._graphical_lasso import GraphicalLasso
from margin.graphical.learning.structure._hill_climb import HillClimb
from margin.graphical.learning.structure._ic import IC
from margin.graphical.learning.structure._missingness import MissingnessReport, missingness_report
from margin.graphical.learning.structure._mmhc import MMHC
from margin.graphical.learning.structure._order_mcmc import OrderMCMC
from margin.graphical.learning.structure._pc import PC
from margin.graphical.learning.structure._structural_em import StructuralEM
from margin.graphical.network._bayesian_network import BayesianNetwork
from margin.graphical.network._building_checks import BuildingReport
from margin.graphical.network._classifier import BayesianNetworkClassifier
from margin.graphical.queries._explanation import Explanation
from margin.graphical.queries._sensitivity import Sensitivity
from margin.graphical.undirected._chain_graph_model import ChainGraphModel, FactorGraphModel
from margin.graphical.undirected._ising import Ising, Potts
from margin.graphical.undirected._log_linear import LogLinearModel
from margin.graphical.undirected._markov_network import MarkovNetwork, PairwiseMRF

__all__ = [
    "IC",
    "MMHC",
    "PC",
    "TAN",
    "AssignmentResult",
    "BayesianNetwork",
    "BayesianNetworkClassifier",
    "BuildingReport",
    "ChainGraphModel",
    "ChowLiu",
    "ConditionalGaussianCPD",
    "ConditionalMoments",
    "ContinuousResult",
    "DirichletNetwork",
    "ExactSearch",
    "ExplainingAway",
    "Explanation",
    "FactorGraphModel",
    "GraphicalLasso",
    "HillClimb",
    "Ising",
    "JointTable",
    "LinearGaussianCPD",
    "LogLinearModel",
    "LogisticCPD",
    "MarkovLearner",
    "MarkovNetwork",
    "MissingnessReport",
    "MixedResult",
    "NoisyOr",
    "OrderMCMC",
    "PairwiseMRF",
    "PlanReport",
    "Potts",
    "QueryResult",
    "Sensitivity",
    "Soft",
    "SoftmaxCPD",
    "StructuralEM",
    "TableCPD",
    "Virtual",
    "best_order",
    "elementary_configuration",
    "explaining_away",
    "fit_logistic",
    "fit_noisy_or",
    "missingness_report",
    "pearl_construction",
]

publish(__name__)
