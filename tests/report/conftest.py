"""Two hand-made comparisons, one per task, with names that try to break out of the page."""

import dataclasses

import numpy as np
import pytest

from margin.evaluation import (
    Baseline,
    ColumnInfo,
    Comparison,
    Importance,
    LearningCurve,
    ModelResult,
)

HOSTILE = '<script>alert("x")</script>'
REPORT = """LogisticRegression fit: converged in 14 iterations
  solver       lbfgs
  objective    31.0248"""


def _result(model, score, se, **more):
    known = {
        "family": "linear",
        "scores": tuple(score + se * np.array([-1.0, 0.0, 1.0])),
        "fit_seconds": 0.0123,
        "predict_seconds": 0.0004,
        "status": "converged",
    }
    return ModelResult(model=model, score=score, score_se=se, **{**known, **more})


def _columns(names):
    made = [
        ColumnInfo(name, "numeric", "numbers, most of them different", 180, 3, True, "0.1 to 9.7")
        for name in names
    ]
    made.append(ColumnInfo(HOSTILE, "nominal", "3 words", 3, 40, True, "a, b & c"))
    made.append(ColumnInfo("patient id", "identifier", "every row differs", 200, 0, False))
    return tuple(made)


NAMES = (
    "worst concave points",
    "mean radius",
    "texture error",
    "a name that goes on and on and on",
)


@pytest.fixture
def classification():
    rng = np.random.default_rng(0)
    classes = ("benign", "malignant")
    truth = rng.integers(0, 2, 171)
    logit = 3.2 * (truth - 0.45) + rng.normal(0, 1.3, 171)
    proba = 1 / (1 + np.exp(-logit))
    labels = np.array(classes)
    return Comparison(
        source="breast_cancer (built-in)",
        task="classification",
        target="diagnosis",
        metric="accuracy",
        classes=classes,
        columns=(*_columns(NAMES), ColumnInfo("diagnosis", "nominal", "2 words", 2, 0, False)),
        n_rows=569,
        n_train=398,
        n_test=171,
        results=(
            _result(
                "LogisticRegression", 0.978, 0.005, params={"alpha": 0.3162}, fit_report=REPORT
            ),
            _result(
                "RidgeClassifier",
                0.962,
                0.007,
                difference=0.016,
                p_value=0.034,
                fit_report="RidgeClassifier fit: converged in 1 iteration",
            ),
            _result(
                "SlowModel",
                0.951,
                0.011,
                difference=0.027,
                p_value=0.0004,
                status="max_iter",
                note="stopped after 100 iterations",
            ),
            _result(
                "DecisionStump",
                0.889,
                0.012,
                difference=0.089,
                p_value=1e-6,
                is_baseline=True,
                family="baseline",
                status="ok",
            ),
            _result(
                "MajorityClass",
                0.627,
                0.001,
                difference=0.351,
                p_value=1e-9,
                is_baseline=True,
                family="baseline",
                status="ok",
            ),
            _result(
                "BrokenModel",
                float("nan"),
                float("nan"),
                difference=float("nan"),
                p_value=float("nan"),
                status="failed",
                note="matrix is singular",
            ),
        ),
        winner="LogisticRegression",
        model=None,
        test_score=0.965,
        test_interval=(0.936, 0.985),
        baseline=Baseline("MajorityClass", 0.628),
        verdict="LogisticRegression is right for 165 of 171 unseen rows; the majority class alone "
        "would be right for 107. More rows would hardly help: the learning curve is flat.",
        learning_curve=LearningCurve(
            sizes=(40, 90, 160, 250, 358),
            train_mean=(1.0, 0.995, 0.992, 0.990, 0.989),
            train_se=(0.0, 0.001, 0.001, 0.001, 0.001),
            test_mean=(0.93, 0.955, 0.967, 0.973, 0.978),
            test_se=(0.012, 0.009, 0.006, 0.005, 0.005),
            verdict="The curve is nearly flat: twice the rows would add about 0.003.",
        ),
        importances=tuple(
            Importance(name, 0.06 / (i + 1), 0.008) for i, name in enumerate((*NAMES, HOSTILE))
        ),
        y_test=labels[truth],
        y_pred=labels[(proba > 0.5).astype(int)],
        y_proba=np.column_stack([1 - proba, proba]),
        y_interval=None,
        fit_report=REPORT,
        seed=0,
        folds="5-fold cross-validation, 2 repeats, stratified",
        seconds=12.4,
        out_of_budget=True,
        warnings=("column 'patient id' names rows and is not used",),
        skipped=(("GaussianProcess", "more than 5000 rows"),),
    )


@pytest.fixture
def regression(classification):
    rng = np.random.default_rng(1)
    truth = rng.normal(150, 70, 133)
    guess = 150 + 0.6 * (truth - 150) + rng.normal(0, 35, 133)
    return dataclasses.replace(
        classification,
        source="diabetes (built-in)",
        task="regression",
        target="progression",
        metric="R²",
        classes=(),
        n_rows=442,
        n_train=309,
        n_test=133,
        results=(
            _result("BayesianLinearRegression", 0.482, 0.031),
            _result("Ridge", 0.481, 0.031, difference=0.001, p_value=0.61),
            _result("MeanValue", -0.012, 0.004, difference=0.494, p_value=1e-5, is_baseline=True),
        ),
        winner="BayesianLinearRegression",
        test_score=0.447,
        test_interval=(0.31, 0.56),
        baseline=Baseline("MeanValue", -0.004),
        verdict="BayesianLinearRegression explains 45 % of the variance of progression.",
        y_test=truth,
        y_pred=guess,
        y_proba=None,
        y_interval=np.column_stack([guess - 75, guess + 75]),
        out_of_budget=False,
        warnings=(),
        skipped=(),
    )
