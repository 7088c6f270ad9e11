"""Clusters: around centres, in trees, of graphs; and how many there are."""

from margin.cluster.centroids._k_means import KMeans
from margin.cluster.seeding._starts import kmeans_plusplus
from margin.core import publish

__all__ = ["KMeans", "kmeans_plusplus"]

publish(__name__)
