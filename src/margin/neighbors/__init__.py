"""Nearest neighbours: search, prediction, densities, prototypes, hashing."""

from margin.core import publish
from margin.neighbors.density._histogram_density import HistogramDensity
from margin.neighbors.density._kernel_density import KernelDensity
from margin.neighbors.hashing._sign_random_projection import SignRandomProjection
from margin.neighbors.hashing._tables import collision_probability
from margin.neighbors.models._graphs import kneighbors_graph, radius_neighbors_graph
from margin.neighbors.models._k_classifier import KNeighborsClassifier
from margin.neighbors.models._k_regressor import KNeighborsRegressor
from margin.neighbors.models._local_outlier_factor import LocalOutlierFactor
from margin.neighbors.models._nearest_neighbors import NearestNeighbors
from margin.neighbors.models._radius_classifier import RadiusNeighborsClassifier
from margin.neighbors.models._radius_regressor import RadiusNeighborsRegressor
from margin.neighbors.models._transformers import (
    KNeighborsTransformer,
    RadiusNeighborsTransformer,
)
from margin.neighbors.prototypes._prototype_classifier import PrototypeClassifier

__all__ = [
    "HistogramDensity",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "KernelDensity",
    "LocalOutlierFactor",
    "NearestNeighbors",
    "PrototypeClassifier",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RadiusNeighborsTransformer",
    "SignRandomProjection",
    "collision_probability",
    "kneighbors_graph",
    "radius_neighbors_graph",
]

publish(__name__)
