"""Many classes by models for two: one against one, one against the rest, output codes."""

from margin.core import publish
from margin.multiclass._code_matrices import (
    correction_capacity,
    exhaustive_code,
    one_vs_one_code,
    one_vs_rest_code,
    row_distances,
)
from margin.multiclass._decoding import hamming_distances, loss_distances
from margin.multiclass._one_vs_one import OneVsOneClassifier
from margin.multiclass._one_vs_rest import OneVsRestClassifier
from margin.multiclass._output_code import OutputCodeClassifier
from margin.multiclass._random_code import random_code
from margin.multiclass._spectral_code import between_class_covariance, spectral_code
from margin.multiclass._stagewise_code import stagewise_code
from margin.multiclass._training_cost import TrainingCost

__all__ = [
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "TrainingCost",
    "between_class_covariance",
    "correction_capacity",
    "exhaustive_code",
    "hamming_distances",
    "loss_distances",
    "one_vs_one_code",
    "one_vs_rest_code",
    "random_code",
    "row_distances",
    "spectral_code",
    "stagewise_code",
]

publish(__name__)
