"""Minimisation: a problem, a solver that is a value, and one driver that runs them."""

from margin.core import publish
from margin.optim._exact_step import exact_line_search, taylor_step
from margin.optim._gradient_check import check_gradient
from margin.optim._intercept import InterceptModel, with_intercept
from margin.optim._linear_problem import LinearProblem
from margin.optim._minimise import minimise
from margin.optim._problem import Expansion, Function, Problem
from margin.optim._restarts import best_of_restarts
from margin.optim._solver import DirectSolver, Solver, State
from margin.optim._standardised import Standardised, standardised
from margin.optim.columns._block_path import BlockPath, BlockSquares, block_path
from margin.optim.columns._coordinate_descent import CoordinateDescent
from margin.optim.columns._duality_gap import duality_gap
from margin.optim.columns._elastic_net_path import (
    ElasticNetPath,
    elastic_net_path,
    strongest_penalty,
)
from margin.optim.columns._lars import LarsPath, gram_lars_path, lars_path
from margin.optim.columns._working_set import squares_by_columns
from margin.optim.duals._box_dual import BoxDual, Optimality, optimality
from margin.optim.duals._dual_descent import DualDescent
from margin.optim.duals._dual_newton import DualNewton
from margin.optim.duals._gram import Gram, GramMatrix
from margin.optim.duals._linear_dual import LinearDual
from margin.optim.duals._machine import Machine, soft_margin, tube
from margin.optim.duals._multiclass_descent import MulticlassDescent
from margin.optim.duals._semismooth_newton import SemismoothNewton
from margin.optim.duals._smo import SMO
from margin.optim.kernel_weights._search import fixed_weights, learn_weights
from margin.optim.kernel_weights._tasks import Duel, Tube
from margin.optim.kernel_weights._trainer import MatrixStack, Trainer, WeightedMachines
from margin.optim.paths._margin_path import MarginPath, margin_path
from margin.optim.programs._constrained import ConstrainedProblem, Constraint, affine, constrained
from margin.optim.programs._kkt import KKT, kkt
from margin.optim.programs._lagrangian import (
    Duality,
    DualValue,
    dual_function,
    lagrangian,
    lagrangian_gap,
)
from margin.optim.programs._quadratic_program import Multipliers, QuadraticProgram
from margin.optim.programs._slater import Slater, slater
from margin.optim.programs._solve_qp import solve_qp
from margin.optim.steppers._bfgs import BFGS
from margin.optim.steppers._gradient_descent import GradientDescent
from margin.optim.steppers._heavy_ball import HeavyBall
from margin.optim.steppers._irls import IRLS
from margin.optim.steppers._lbfgs import LBFGS
from margin.optim.steppers._levenberg_marquardt import levenberg_marquardt
from margin.optim.steppers._nesterov import Nesterov
from margin.optim.steppers._newton import Newton
from margin.optim.steppers._newton_cg import NewtonCG
from margin.optim.steppers._nonlinear_cg import NonlinearCG
from margin.optim.steppers._proximal_gradient import FISTA, ProximalGradient
from margin.optim.steppers._rprop import Rprop
from margin.optim.steppers._subgradient import Subgradient
from margin.optim.steppers._subgradient_check import check_subgradient
from margin.optim.stochastic._adam import Adam
from margin.optim.stochastic._averaged import Averaging, ExponentialAverage, PolyakAverage
from margin.optim.stochastic._epochs import run_epochs
from margin.optim.stochastic._momentum import MomentumSGD
from margin.optim.stochastic._robbins_monro import RobbinsMonro
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._saga import SAG, SAGA
from margin.optim.stochastic._schedule_check import ScheduleVerdict, check_schedule
from margin.optim.stochastic._schedules import (
    Constant,
    DivideOnStall,
    Harmonic,
    InverseTime,
    PassiveAggressive,
    PowerDecay,
    RootHarmonic,
    Schedule,
    StronglyConvex,
)
from margin.optim.stochastic._sgd import SGD
from margin.optim.stochastic._step_size_rule import batch_step_length
from margin.optim.stochastic._stochastic import Progress, StochasticSolver

__all__ = [
    "BFGS",
    "FISTA",
    "IRLS",
    "KKT",
    "LBFGS",
    "SAG",
    "SAGA",
    "SGD",
    "SMO",
    "Adam",
    "Averaging",
    "BlockPath",
    "BlockSquares",
    "BoxDual",
    "Constant",
    "ConstrainedProblem",
    "Constraint",
    "CoordinateDescent",
    "DirectSolver",
    "DivideOnStall",
    "DualDescent",
    "DualNewton",
    "DualValue",
    "Duality",
    "Duel",
    "ElasticNetPath",
    "Expansion",
    "ExponentialAverage",
    "Function",
    "GradientDescent",
    "Gram",
    "GramMatrix",
    "Harmonic",
    "HeavyBall",
    "InterceptModel",
    "InverseTime",
    "LarsPath",
    "LinearDual",
    "LinearProblem",
    "Machine",
    "MarginPath",
    "MatrixStack",
    "MomentumSGD",
    "MulticlassDescent",
    "Multipliers",
    "Nesterov",
    "Newton",
    "NewtonCG",
    "NonlinearCG",
    "Optimality",
    "PassiveAggressive",
    "PolyakAverage",
    "PowerDecay",
    "Problem",
    "Progress",
    "ProximalGradient",
    "QuadraticProgram",
    "RobbinsMonro",
    "RootHarmonic",
    "RowSum",
    "Rprop",
    "Schedule",
    "ScheduleVerdict",
    "SemismoothNewton",
    "Slater",
    "Solver",
    "Standardised",
    "State",
    "StochasticSolver",
    "StronglyConvex",
    "Subgradient",
    "Trainer",
    "Tube",
    "WeightedMachines",
    "affine",
    "batch_step_length",
    "best_of_restarts",
    "block_path",
    "check_gradient",
    "check_schedule",
    "check_subgradient",
    "constrained",
    "dual_function",
    "duality_gap",
    "elastic_net_path",
    "exact_line_search",
    "fixed_weights",
    "gram_lars_path",
    "kkt",
    "lagrangian",
    "lagrangian_gap",
    "lars_path",
    "learn_weights",
    "levenberg_marquardt",
    "margin_path",
    "minimise",
    "optimality",
    "run_epochs",
    "slater",
    "soft_margin",
    "solve_qp",
    "squares_by_columns",
    "standardised",
    "strongest_penalty",
    "taylor_step",
    "tube",
    "with_intercept",
]

publish(__name__)
