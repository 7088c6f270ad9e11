"""Kernels of strings, sequences, trees and graphs."""

from margin.kernels.structured._convolution import Convolution
from margin.kernels.structured._delta import Delta
from margin.kernels.structured._graph_kernel import GraphKernel, VertexHistogram
from margin.kernels.structured._mismatch import Mismatch
from margin.kernels.structured._random_walk import RandomWalk
from margin.kernels.structured._shortest_path import ShortestPath
from margin.kernels.structured._spectrum import Spectrum
from margin.kernels.structured._subsequence import Subsequence
from margin.kernels.structured._tree_kernels import AllSubtrees, SubsetTrees
from margin.kernels.structured._weisfeiler_lehman import WeisfeilerLehman

__all__ = [
    "AllSubtrees",
    "Convolution",
    "Delta",
    "GraphKernel",
    "Mismatch",
    "RandomWalk",
    "ShortestPath",
    "Spectrum",
    "Subsequence",
    "SubsetTrees",
    "VertexHistogram",
    "WeisfeilerLehman",
]
