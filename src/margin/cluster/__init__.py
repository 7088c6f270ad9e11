"""Clusters: around centres, in trees, of graphs; and how many there are."""

from margin.cluster.centroids._bisecting_k_means import BisectingKMeans
from margin.cluster.centroids._histogram_clustering import HistogramClustering
from margin.cluster.centroids._k_means import KMeans
from margin.cluster.centroids._k_medoids import KMedoids
from margin.cluster.centroids._kernel_k_means import KernelKMeans
from margin.cluster.centroids._mini_batch_k_means import MiniBatchKMeans
from margin.cluster.centroids._spherical_k_means import SphericalKMeans
from margin.cluster.choosing._choose_k import ChosenK, choose_k
from margin.cluster.choosing._dunn import dunn_index
from margin.cluster.choosing._indices import information_criterion, silhouette, squared_error
from margin.cluster.choosing._rules import elbow, gap_statistic, stability
from margin.cluster.graphs._dbscan import DBSCAN
from margin.cluster.graphs._spectral import SpectralClustering
from margin.cluster.hierarchy._agglomerative import AgglomerativeClustering
from margin.cluster.hierarchy._dendrogram import DendrogramDisplay
from margin.cluster.hierarchy._divisive import DivisiveClustering
from margin.cluster.hierarchy._merging import squared_error_rise
from margin.cluster.seeding._starts import kmeans_plusplus
from margin.core import publish

__all__ = [
    "DBSCAN",
    "AgglomerativeClustering",
    "BisectingKMeans",
    "ChosenK",
    "DendrogramDisplay",
    "DivisiveClustering",
    "HistogramClustering",
    "KMeans",
    "KMedoids",
    "KernelKMeans",
    "MiniBatchKMeans",
    "SpectralClustering",
    "SphericalKMeans",
    "choose_k",
    "dunn_index",
    "elbow",
    "gap_statistic",
    "information_criterion",
    "kmeans_plusplus",
    "silhouette",
    "squared_error",
    "squared_error_rise",
    "stability",
]

publish(__name__)
