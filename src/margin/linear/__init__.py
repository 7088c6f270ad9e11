"""Linear models for regression and classification."""

from margin.linear._bayesian import BayesianLinearRegression
from margin.linear._lda import LinearDiscriminantAnalysis
from margin.linear._linear_regression import LinearRegression
from margin.linear._logistic_regression import LogisticRegression
from margin.linear._qda import QuadraticDiscriminantAnalysis
from margin.linear._ridge import Ridge

__all__ = [
    "BayesianLinearRegression",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticRegression",
    "QuadraticDiscriminantAnalysis",
    "Ridge",
]
