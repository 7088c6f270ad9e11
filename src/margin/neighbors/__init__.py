"""Nearest neighbours: search, prediction, densities, prototypes, hashing."""

from margin.core import publish
from margin.neighbors.models._k_classifier import KNeighborsClassifier
from margin.neighbors.models._k_regressor import KNeighborsRegressor
from margin.neighbors.models._nearest_neighbors import NearestNeighbors
from margin.neighbors.models._radius_classifier import RadiusNeighborsClassifier
from margin.neighbors.models._radius_regressor import RadiusNeighborsRegressor

__all__ = [
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "NearestNeighbors",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
]

publish(__name__)
