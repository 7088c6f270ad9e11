"""Support vector machines: classification, regression and novelty detection with any kernel."""

from margin.svm._crammer_singer import CrammerSingerSVC
from margin.svm._kernel_features import KernelFeatures
from margin.svm._kernel_pegasos import KernelPegasos
from margin.svm._kernel_perceptron import KernelPerceptron
from margin.svm._linear_svc import LinearSVC
from margin.svm._linear_svr import LinearSVR
from margin.svm._margins import canonical, confidence_margin, geometric_margin, margin_error_bound
from margin.svm._multiple_kernel import MultipleKernelSVC
from margin.svm._multiple_kernel_svr import MultipleKernelSVR
from margin.svm._nu_svc import NuSVC
from margin.svm._nu_svr import NuSVR
from margin.svm._one_class import OneClassSVM
from margin.svm._path import svc_path
from margin.svm._path_grid import svc_grid
from margin.svm._path_value import SVCPath
from margin.svm._pegasos import Pegasos
from margin.svm._sensitivity import SensitivityReport, sensitivity
from margin.svm._support_report import SupportReport
from margin.svm._svc import SVC
from margin.svm._svr import SVR
from margin.svm._weston_watkins import WestonWatkinsSVC

__all__ = [
    "SVC",
    "SVR",
    "CrammerSingerSVC",
    "KernelFeatures",
    "KernelPegasos",
    "KernelPerceptron",
    "LinearSVC",
    "LinearSVR",
    "MultipleKernelSVC",
    "MultipleKernelSVR",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "Pegasos",
    "SVCPath",
    "SensitivityReport",
    "SupportReport",
    "WestonWatkinsSVC",
    "canonical",
    "confidence_margin",
    "geometric_margin",
    "margin_error_bound",
    "sensitivity",
    "svc_grid",
    "svc_path",
]
