"""Contracts and checks that every part of margin, and any extension of it, can be held to."""

from margin.evaluation import all_estimators
from margin.testing._distribution_contract import DistributionContract
from margin.testing._finite_differences import finite_differences
from margin.testing._kernel_contract import KernelContract
from margin.testing._loss_contract import LossContract
from margin.testing._penalty_contract import PenaltyContract
from margin.testing._solver_contract import SolverContract
from margin.testing._statistics_contract import StatisticsContract
from margin.testing._suite import all_checks, checks_for, instances, parametrize_checks

__all__ = [
    "DistributionContract",
    "KernelContract",
    "LossContract",
    "PenaltyContract",
    "SolverContract",
    "StatisticsContract",
    "all_checks",
    "all_estimators",
    "checks_for",
    "finite_differences",
    "instances",
    "parametrize_checks",
]
