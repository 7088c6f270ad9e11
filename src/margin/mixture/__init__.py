"""Mixtures: components found without their number, topics of documents."""

from margin.core import publish
from margin.mixture.processes._chinese_restaurant import ChineseRestaurantProcess
from margin.mixture.processes._dirichlet_process import (
    DirichletProcess,
    RandomMeasure,
    sample_dp_mixture,
)
from margin.mixture.processes._dirichlet_process_mixture import DirichletProcessMixture
from margin.mixture.processes._exact_posterior import PartitionPosterior, exact_partition_posterior
from margin.mixture.processes._exchangeability import exchangeability_gap, set_partitions
from margin.mixture.processes._finite_clusters import expected_clusters, sample_clusters
from margin.mixture.processes._stick_breaking import StickBreaking, dirichlet_by_sticks
from margin.mixture.processes._urns import hoppe_urn, polya_urn

__all__ = [
    "ChineseRestaurantProcess",
    "DirichletProcess",
    "DirichletProcessMixture",
    "PartitionPosterior",
    "RandomMeasure",
    "StickBreaking",
    "dirichlet_by_sticks",
    "exact_partition_posterior",
    "exchangeability_gap",
    "expected_clusters",
    "hoppe_urn",
    "polya_urn",
    "sample_clusters",
    "sample_dp_mixture",
    "set_partitions",
]

publish(__name__)
