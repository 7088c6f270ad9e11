"""Mixtures: finite ones, components without their number, topics of documents."""

from margin.core import publish
from margin.mixture.families._mixture import Mixture
from margin.mixture.finite._bayesian_gaussian_mixture import BayesianGaussianMixture
from margin.mixture.finite._gaussian_mixture import GaussianMixture
from margin.mixture.finite._generator import DrawnMixture, draw_gaussian_mixture
from margin.mixture.finite._known_variance import known_variance_means
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
from margin.mixture.regression._mixture_of_experts import MixtureOfExperts
from margin.mixture.regression._mixture_of_regressions import MixtureOfRegressions
from margin.mixture.regression._predicted_mixture import PredictedMixture
from margin.mixture.topics._documents import TopicDocuments, sample_documents
from margin.mixture.topics._held_out import topic_coherence
from margin.mixture.topics._hierarchical_dirichlet_process import HierarchicalDirichletProcess
from margin.mixture.topics._latent_dirichlet_allocation import LatentDirichletAllocation
from margin.mixture.topics._topic_display import TopicDisplay

__all__ = [
    "BayesianGaussianMixture",
    "ChineseRestaurantProcess",
    "DirichletProcess",
    "DirichletProcessMixture",
    "DrawnMixture",
    "GaussianMixture",
    "HierarchicalDirichletProcess",
    "LatentDirichletAllocation",
    "Mixture",
    "MixtureOfExperts",
    "MixtureOfRegressions",
    "PartitionPosterior",
    "PredictedMixture",
    "RandomMeasure",
    "StickBreaking",
    "TopicDisplay",
    "TopicDocuments",
    "dirichlet_by_sticks",
    "draw_gaussian_mixture",
    "exact_partition_posterior",
    "exchangeability_gap",
    "expected_clusters",
    "hoppe_urn",
    "known_variance_means",
    "polya_urn",
    "sample_clusters",
    "sample_documents",
    "sample_dp_mixture",
    "set_partitions",
    "topic_coherence",
]

publish(__name__)
