"""One finished run per task, shared by all tests of the command line."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from margin.cli import main


@dataclasses.dataclass(frozen=True)
class Run:
    """A finished ``margin compare``: exit code, output, folder, JSON file and the table."""

    code: int
    text: str
    out: Path
    json: Path
    data: Path
    frame: pd.DataFrame


def table(n=90, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(n)],
            "size": rng.normal(size=n).round(3),
            "weight": rng.normal(size=n).round(3),
            "colour": rng.choice(["red", "green", "blue"], n),
            "nothing": np.nan,
        }
    )
    frame["price"] = (2 * frame["size"] - frame["weight"] + 0.3 * rng.normal(size=n)).round(3)
    frame["label"] = np.where(frame["price"] > 0, "dear", "cheap")
    frame.loc[3, "size"] = np.nan
    return frame


def _run(folder, frame, target, model):
    data, out, json = folder / "data.csv", folder / "out", folder / "result.json"
    frame.to_csv(data, index=False)
    # a child process: its output is what a person sees when it is piped
    options = ["--budget", "60s", "--jobs", "1", "--models", model]
    places = ["--out", str(out), "--json", str(json)]
    done = subprocess.run(
        [sys.executable, "-m", "margin.cli", "compare", str(data), "-t", target, *options, *places],
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Run(done.returncode, done.stdout + done.stderr, out, json, data, frame)


@pytest.fixture(scope="session")
def classified(tmp_path_factory):
    frame = table().drop(columns="price")
    return _run(tmp_path_factory.mktemp("classified"), frame, "label", "LogisticRegression")


@pytest.fixture(scope="session")
def regressed(tmp_path_factory):
    frame = table().drop(columns="label")
    return _run(tmp_path_factory.mktemp("regressed"), frame, "price", "Ridge")


@pytest.fixture
def margin(capsys):
    """Run a command in this process; returns exit code, standard output and error."""

    def run(*arguments):
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
