"""Learning of graphical models: structure from data, and parameters that are not plain counts."""

from margin.graphical.learning._chow_liu import TAN, ChowLiu
from margin.graphical.learning._dirichlet import DirichletNetwork
from margin.graphical.learning._exact_search import ExactSearch
from margin.graphical.learning._graphical_lasso import GraphicalLasso
from margin.graphical.learning._hill_climb import HillClimb
from margin.graphical.learning._ic import IC
from margin.graphical.learning._markov_learner import MarkovLearner
from margin.graphical.learning._missingness import MissingnessReport, missingness_report
from margin.graphical.learning._mmhc import MMHC
from margin.graphical.learning._order_mcmc import OrderMCMC
from margin.graphical.learning._parametric import fit_logistic, fit_noisy_or
from margin.graphical.learning._pc import PC
from margin.graphical.learning._structural_em import StructuralEM

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
