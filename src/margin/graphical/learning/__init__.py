"""Learning of graphical models: structure from data, and parameters that are not plain counts."""

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

__all__ = [
    "IC",
    "MMHC",
    "PC",
    "TAN",
    "ChowLiu",
    "DirichletNetwork",
    "ExactSearch",
    "GraphicalLasso",
    "HillClimb",
    "MarkovLearner",
    "MissingnessReport",
    "OrderMCMC",
    "StructuralEM",
    "fit_logistic",
    "fit_noisy_or",
    "missingness_report",
]
