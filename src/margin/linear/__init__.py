"""Linear models for regression and classification."""

from margin.linear._additive import GeneralisedAdditiveModel
from margin.linear._basis_expansion import BasisExpansion
from margin.linear._bayes_classifier import BayesClassifier
from margin.linear._bayesian import BayesianLinearRegression
from margin.linear._bernoulli_nb import BernoulliNB
from margin.linear._boolean_perceptron import BooleanPerceptron
from margin.linear._categorical_nb import CategoricalNB
from margin.linear._chooser import RegressionChoice, choose_regression
from margin.linear._code_matrices import (
    correction_capacity,
    exhaustive_code,
    one_vs_one_code,
    one_vs_rest_code,
    row_distances,
)
from margin.linear._constrained_least_squares import ConstrainedLeastSquares
from margin.linear._decoding import hamming_distances, loss_distances
from margin.linear._elastic_net import ElasticNet
from margin.linear._elastic_net_cv import ElasticNetCV
from margin.linear._fisher import FisherDiscriminant
from margin.linear._gaussian_nb import GaussianNB
from margin.linear._hyperplane import Hyperplane, augment
from margin.linear._james_stein import james_stein
from margin.linear._lasso import Lasso
from margin.linear._lasso_cv import LassoCV
from margin.linear._lasso_lars import LassoLars
from margin.linear._lda import LinearDiscriminantAnalysis
from margin.linear._least_squares_classifier import LeastSquaresClassifier
from margin.linear._linear_regression import LinearRegression
from margin.linear._locally_weighted import LocallyWeightedRegression
from margin.linear._logistic_regression import LogisticRegression
from margin.linear._mixed_nb import MixedNB
from margin.linear._multinomial_nb import MultinomialNB
from margin.linear._nonlinear_least_squares import NonlinearLeastSquares
from margin.linear._one_vs_one import OneVsOneClassifier
from margin.linear._one_vs_rest import OneVsRestClassifier
from margin.linear._output_code import OutputCodeClassifier
from margin.linear._perceptron import Perceptron
from margin.linear._poisson_regression import PoissonRegressor
from margin.linear._qda import QuadraticDiscriminantAnalysis
from margin.linear._random_code import random_code
from margin.linear._ridge import Ridge
from margin.linear._robust_regression import RobustRegressor
from margin.linear._separability import Separability, best_linear_accuracy, separability
from margin.linear._sgd_classifier import SGDClassifier
from margin.linear._sgd_regressor import SGDRegressor
from margin.linear._smoothing_spline import SmoothingSpline
from margin.linear._sparse_path import enet_path, lasso_path
from margin.linear._spectral_code import between_class_covariance, spectral_code
from margin.linear._stagewise_code import stagewise_code
from margin.linear._summary import RegressionSummary, summarise
from margin.linear._thin_plate_spline import ThinPlateSpline
from margin.linear._total_least_squares import TotalLeastSquares
from margin.linear._training_cost import TrainingCost
from margin.linear._wavelet_shrinkage import WaveletShrinkage

__all__ = [
    "BasisExpansion",
    "BayesClassifier",
    "BayesianLinearRegression",
    "BernoulliNB",
    "BooleanPerceptron",
    "CategoricalNB",
    "ConstrainedLeastSquares",
    "ElasticNet",
    "ElasticNetCV",
    "FisherDiscriminant",
    "GaussianNB",
    "GeneralisedAdditiveModel",
    "Hyperplane",
    "Lasso",
    "LassoCV",
    "LassoLars",
    "LeastSquaresClassifier",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LocallyWeightedRegression",
    "LogisticRegression",
    "MixedNB",
    "MultinomialNB",
    "NonlinearLeastSquares",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "Perceptron",
    "PoissonRegressor",
    "QuadraticDiscriminantAnalysis",
    "RegressionChoice",
    "RegressionSummary",
    "Ridge",
    "RobustRegressor",
    "SGDClassifier",
    "SGDRegressor",
    "Separability",
    "SmoothingSpline",
    "ThinPlateSpline",
    "TotalLeastSquares",
    "TrainingCost",
    "WaveletShrinkage",
    "augment",
    "best_linear_accuracy",
    "between_class_covariance",
    "choose_regression",
    "correction_capacity",
    "enet_path",
    "exhaustive_code",
    "hamming_distances",
    "james_stein",
    "lasso_path",
    "loss_distances",
    "one_vs_one_code",
    "one_vs_rest_code",
    "random_code",
    "row_distances",
    "separability",
    "spectral_code",
    "stagewise_code",
    "summarise",
]
