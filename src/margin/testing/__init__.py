"""Contracts and checks that every part of margin, and any extension of it, can be held to."""

from margin.core import publish
from margin.evaluation import all_estimators
from margin.testing._finite_differences import finite_differences
from margin.testing._suite import all_checks, checks_for, instances, parametrize_checks
from margin.testing.contracts._distribution import DistributionContract
from margin.testing.contracts._kernel import KernelContract
from margin.testing.contracts._loss import LossContract
from margin.testing.contracts._penalty import PenaltyContract
from margin.testing.contracts._solver import SolverContract
from margin.testing.contracts._statistics import StatisticsContract

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

publish(__name__)
