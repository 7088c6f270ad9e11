"""Support vector machines: classification, regression and novelty detection with any kernel."""

from margin.core import publish
from margin.svm.diagnosis._margins import (
    canonical,
    confidence_margin,
    geometric_margin,
    margin_error_bound,
)
from margin.svm.diagnosis._sensitivity import SensitivityReport, sensitivity
from margin.svm.diagnosis._support_report import SupportReport
from margin.svm.joint._crammer_singer import CrammerSingerSVC
from margin.svm.joint._weston_watkins import WestonWatkinsSVC
from margin.svm.kernel._nu_svc import NuSVC
from margin.svm.kernel._nu_svr import NuSVR
from margin.svm.kernel._one_class import OneClassSVM
from margin.svm.kernel._svc import SVC
from margin.svm.kernel._svr import SVR
from margin.svm.linear._kernel_features import KernelFeatures
from margin.svm.linear._linear_svc import LinearSVC
from margin.svm.linear._linear_svr import LinearSVR
from margin.svm.multiple_kernel._svc import MultipleKernelSVC
from margin.svm.multiple_kernel._svr import MultipleKernelSVR
from margin.svm.online._kernel_pegasos import KernelPegasos
from margin.svm.online._kernel_perceptron import KernelPerceptron
from margin.svm.online._pegasos import Pegasos
from margin.svm.path._grid import svc_grid
from margin.svm.path._value import SVCPath
from margin.svm.path._walked import svc_path

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

publish(__name__)
