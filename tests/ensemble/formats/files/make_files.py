"""Writes the model files of this folder, and what LightGBM and XGBoost answer with them.

Run it where both are installed (the extra ``bench``).
"""

import json
from pathlib import Path

import lightgbm as lgb
import numpy as np
import xgboost as xgb

HERE = Path(__file__).parent
ROWS = 25  # that answers are kept of

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3)).round(3)
X[rng.random((300, 3)) < 0.1] = np.nan
X[:, 2] = rng.integers(0, 6, 300)
number = np.nan_to_num(X[:, 0]) + X[:, 2] % 2
positive = np.exp(number)
share = 1.0 / (1.0 + np.exp(-number))
two = (number > 0.5).astype(int)
three = np.digitize(number, [-0.3, 0.8])

LIGHTGBM = {
    "regression": (number, {}),
    "forest": (
        number,
        {"objective": "regression", "boosting": "rf", "bagging_fraction": 0.5, "bagging_freq": 1},
    ),
    "quantile": (number, {}),
    "binary": (two, {"sigmoid": 2.0}),
    "multiclass": (three, {"num_class": 3}),
    "multiclassova": (three, {"num_class": 3, "sigmoid": 1.5}),
    "cross_entropy": (share, {}),
    "cross_entropy_lambda": (share, {}),
    "poisson": (positive, {}),
}
XGBOOST = {
    "reg:squarederror": (number, {}),
    "reg:quantileerror": (number, {"quantile_alpha": [0.2, 0.8]}),
    "reg:gamma": (positive, {}),
    "binary:logistic": (two, {}),
    "binary:logitraw": (two, {}),
    "binary:hinge": (two, {}),
    "multi:softprob": (three, {"num_class": 3}),
    "multi:softmax": (three, {"num_class": 3}),
    "survival:cox": (positive, {}),
}


def main() -> None:
    answers = {"rows": [[None if np.isnan(v) else v for v in row] for row in X[:ROWS].tolist()]}
    for name, (y, more) in LIGHTGBM.items():
        settings = {"objective": name, "num_leaves": 3, "verbose": -1, "num_threads": 1, **more}
        data = lgb.Dataset(X, y, categorical_feature=[2])
        model = lgb.train(settings, data, 2)
        model.save_model(HERE / f"lightgbm_{name}.txt")
        answers[f"lightgbm_{name}.txt"] = model.predict(X[:ROWS]).tolist()
    for objective, (y, more) in XGBOOST.items():
        data = xgb.DMatrix(X, label=y, feature_types=["q", "q", "c"], enable_categorical=True)
        model = xgb.train({"objective": objective, "max_depth": 2, "nthread": 1, **more}, data, 2)
        name = "xgboost_" + objective.split(":")[1]
        answers[f"{name}.json"] = model.predict(data)[:ROWS].tolist()
        model.save_model(HERE / f"{name}.json")
        if objective == "multi:softprob":
            model.save_model(HERE / f"{name}.ubj")
    (HERE / "answers.json").write_text(json.dumps(answers) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
