"""Linear models for regression and classification."""

from margin.core import publish
from margin.linear._regression_choice import RegressionChoice, choose_regression
from margin.linear.bayesian._bayesian import BayesianLinearRegression
from margin.linear.boolean._threshold_network import BooleanPerceptron
from margin.linear.classification._hyperplane import Hyperplane, augment
from margin.linear.classification._least_squares_classifier import LeastSquaresClassifier
from margin.linear.classification._log_linear_form import LogLinearForm
from margin.linear.classification._logistic_regression import LogisticRegression
from margin.linear.classification._logistic_summary import LogisticSummary
from margin.linear.classification._separability import (
    Separability,
    best_linear_accuracy,
    separability,
)
from margin.linear.curves._additive import GeneralisedAdditiveModel
from margin.linear.curves._basis_expansion import BasisExpansion
from margin.linear.curves._locally_weighted import LocallyWeightedRegression
from margin.linear.curves._smoothing_spline import SmoothingSpline
from margin.linear.curves._thin_plate_spline import ThinPlateSpline
from margin.linear.curves._wavelet_shrinkage import WaveletShrinkage
from margin.linear.curves._wavelet_transform import WaveletTransform, wavelet_transform
from margin.linear.discriminant._bayes_classifier import BayesClassifier
from margin.linear.discriminant._fisher import FisherDiscriminant
from margin.linear.discriminant._lda import LinearDiscriminantAnalysis
from margin.linear.discriminant._qda import QuadraticDiscriminantAnalysis
from margin.linear.least_squares._constrained_least_squares import ConstrainedLeastSquares
from margin.linear.least_squares._nonlinear_least_squares import NonlinearLeastSquares
from margin.linear.least_squares._total_least_squares import TotalLeastSquares
from margin.linear.naive_bayes._bernoulli_nb import BernoulliNB
from margin.linear.naive_bayes._categorical_nb import CategoricalNB
from margin.linear.naive_bayes._gaussian_nb import GaussianNB
from margin.linear.naive_bayes._mixed_nb import MixedNB
from margin.linear.naive_bayes._multinomial_nb import MultinomialNB
from margin.linear.online._least_mean_squares import least_mean_squares
from margin.linear.online._passive_aggressive_classifier import PassiveAggressiveClassifier
from margin.linear.online._passive_aggressive_regressor import PassiveAggressiveRegressor
from margin.linear.online._perceptron import Perceptron
from margin.linear.online._sgd_classifier import SGDClassifier
from margin.linear.online._sgd_regressor import SGDRegressor
from margin.linear.regression._hat_matrix import hat_matrix, shrinkage_factors
from margin.linear.regression._james_stein import james_stein
from margin.linear.regression._linear_regression import LinearRegression
from margin.linear.regression._poisson_regression import PoissonRegressor
from margin.linear.regression._ridge import Ridge
from margin.linear.regression._robust_regression import RobustRegressor
from margin.linear.regression._summary import RegressionSummary, summarise
from margin.linear.sparse._elastic_net import ElasticNet
from margin.linear.sparse._elastic_net_cv import ElasticNetCV
from margin.linear.sparse._lasso import Lasso
from margin.linear.sparse._lasso_cv import LassoCV
from margin.linear.sparse._lasso_lars import LassoLars
from margin.linear.sparse._sparse_path import enet_path, lasso_path

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
    "LogLinearForm",
    "LogisticRegression",
    "LogisticSummary",
    "MixedNB",
    "MultinomialNB",
    "NonlinearLeastSquares",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
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
    "WaveletShrinkage",
    "WaveletTransform",
    "augment",
    "best_linear_accuracy",
    "choose_regression",
    "enet_path",
    "hat_matrix",
    "james_stein",
    "lasso_path",
    "least_mean_squares",
    "separability",
    "shrinkage_factors",
    "summarise",
    "wavelet_transform",
]

publish(__name__)
