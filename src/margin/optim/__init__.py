"""Minimisation: a problem, a solver that is a value, and one driver that runs them."""

from margin.optim._bfgs import BFGS
from margin.optim._coordinate_descent import CoordinateDescent
from margin.optim._duality_gap import duality_gap
from margin.optim._elastic_net_path import ElasticNetPath, elastic_net_path, strongest_penalty
from margin.optim._exact_step import exact_line_search, taylor_step
from margin.optim._gradient_check import check_gradient
from margin.optim._gradient_descent import GradientDescent
from margin.optim._irls import IRLS
from margin.optim._lars import LarsPath, lars_path
from margin.optim._lbfgs import LBFGS
from margin.optim._linear_problem import LinearProblem
from margin.optim._minimise import minimise
from margin.optim._newton import Newton
from margin.optim._newton_cg import NewtonCG
from margin.optim._nonlinear_cg import NonlinearCG
from margin.optim._problem import Expansion, Function, Problem
from margin.optim._proximal_gradient import FISTA, ProximalGradient
from margin.optim._quadratic_program import Multipliers, QuadraticProgram
from margin.optim._solve_qp import solve_qp
from margin.optim._solver import Solver, State
from margin.optim._standardised import Standardised, standardised
from margin.optim._subgradient import Subgradient
from margin.optim._subgradient_check import check_subgradient
from margin.optim._working_set import least_squares_columns

__all__ = [
    "BFGS",
    "FISTA",
    "IRLS",
    "LBFGS",
    "CoordinateDescent",
    "ElasticNetPath",
    "Expansion",
    "Function",
    "GradientDescent",
    "LarsPath",
    "LinearProblem",
    "Multipliers",
    "Newton",
    "NewtonCG",
    "NonlinearCG",
    "Problem",
    "ProximalGradient",
    "QuadraticProgram",
    "Solver",
    "Standardised",
    "State",
    "Subgradient",
    "check_gradient",
    "check_subgradient",
    "duality_gap",
    "elastic_net_path",
    "exact_line_search",
    "lars_path",
    "least_squares_columns",
    "minimise",
    "solve_qp",
    "standardised",
    "strongest_penalty",
    "taylor_step",
]
