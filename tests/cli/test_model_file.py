import io
import json
import pickle
import sys
import zipfile
from dataclasses import replace

import joblib
import numpy as np
import pytest
import skops.io
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import FunctionTransformer

import margin.linear
from margin.cli import _model_file
from margin.cli._errors import CommandError
from margin.core import Certificate, FitReport, Status
from margin.linear import Lasso as MarginLasso


def refusal(path):
    with pytest.raises(CommandError) as caught:
        _model_file.load(path)
    return str(caught.value)


def attempt(path):
    """What loading says; nothing when it succeeds. Any other error is a failure of the test."""
    try:
        _model_file.load(path)
    except CommandError as error:
        return str(error)
    return ""


def saved(tmp_path, **changes):
    model = LinearRegression().fit(np.eye(3), np.ones(3))
    model.fit_report_ = FitReport(
        "LinearRegression", "qr", Status.STALLED, 3, 0.5, Certificate("gradient norm", 1e-9, 1e-6),
        {"objective": np.array([2.0, 1.0, 0.5])}, ("jitter 1e-9",), ("a note",), "stalled",
    )  # fmt: skip
    content = {
        "pipeline": model, "winner": "LinearRegression", "task": "regression", "target": "y",
        "metric": "R²", "classes": [], "columns": [{"name": "a", "scale": "numeric", "used": True}],
        "test_score": 0.5, "test_interval": [0.4, 0.6], "baseline_score": 0.0, "fit_report": "text",
        "source": "s", "seed": 0, "versions": {"margin": "0.0.1"},
    }  # fmt: skip
    path = tmp_path / "model.skops"
    _model_file.save(path, _model_file.ModelFile(**{**content, **changes}))
    return path


def test_report_status_and_certificate_come_back(tmp_path):
    found = _model_file.load(saved(tmp_path))
    report = found.pipeline.fit_report_
    assert report.status is Status.STALLED
    assert report.certificate == Certificate("gradient norm", 1e-9, 1e-6)
    assert report.trace["objective"].tolist() == [2.0, 1.0, 0.5]
    assert (report.repairs, report.notes, report.message) == (
        ("jitter 1e-9",), ("a note",), "stalled",
    )  # fmt: skip
    assert found.needed == ["a"]
    assert found.pipeline.predict(np.eye(3)) == pytest.approx(1)


def test_versions_that_differ_are_told(tmp_path):
    found = _model_file.load(saved(tmp_path))
    assert _model_file.differences(found)[0].startswith("margin 0.0.1 when saved, ")


def test_real_models_come_back(classified, regressed):
    assert _model_file.load(classified.out / "model.skops").classes == ["cheap", "dear"]
    assert _model_file.load(regressed.out / "model.skops").task == "regression"


class Payload:
    """What a stranger would like to run."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("dump", [pickle.dump, joblib.dump])
def test_pickles_are_refused_and_not_run(tmp_path, dump):
    path = tmp_path / "model.skops"
    with path.open("wb") as stream:
        dump(Payload(tmp_path / "ran"), stream)
    assert "a pickle can run any code" in refusal(path)
    assert not (tmp_path / "ran").exists()


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    path = saved(tmp_path)
    model = _model_file.load(path)
    strange = replace(model, pipeline=FunctionTransformer(func=np.save))
    other = tmp_path / "other.skops"
    with pytest.raises(CommandError, match="cannot be saved: a model file may not hold 'numpy"):
        _model_file.save_if_loadable(other, strange)
    assert not other.exists()
    _model_file.save_if_loadable(other, model)
    assert other.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"calibration": "none"},
        {"threshold": "half"},
        {"coverage": None},
        {"profile": [{"name": "x"}]},
        {"profile": {}},
    ],
)
def test_odd_extras_are_no_usable_model(tmp_path, changes):
    with pytest.raises(CommandError, match="holds no usable model"):
        _model_file.load(saved(tmp_path, **changes))


def test_function_inside_an_honest_pipeline_is_refused(tmp_path):
    path = saved(tmp_path, pipeline=FunctionTransformer(func=np.save))
    assert "refused" in refusal(path)
    path = saved(tmp_path, pipeline=FunctionTransformer(func=eval))
    assert "'builtins.eval'" in refusal(path)


def node(module, name, loader, **more):
    return {"__module__": module, "__class__": name, "__loader__": loader, "__id__": 1, **more}


def text(value):
    return node("builtins", "str", "JsonNode", content=json.dumps(value), is_json=True)


def crafted(tmp_path, schema):
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "schema.json", json.dumps({"protocol": skops.io._protocol.PROTOCOL, **schema})
        )
    return path


@pytest.mark.parametrize(
    ("module", "name"),
    [("os", "system"), ("builtins", "exec"), ("numpy.testing", "runstring"), ("pathlib", "Path")],
)
def test_calls_written_by_hand_are_refused_and_not_run(tmp_path, module, name):
    order = f"open({str(tmp_path / 'ran')!r}, 'w')"
    arguments = node("builtins", "tuple", "TupleNode", content=[text(order)])
    schema = node(module, name, "ConstructorFromReduceNode", content=arguments)
    assert f"'{module}.{name}'" in refusal(crafted(tmp_path, schema))
    assert not (tmp_path / "ran").exists()


def test_archives_that_would_fill_the_memory_are_refused(tmp_path, monkeypatch):
    path = saved(tmp_path)
    monkeypatch.setattr(_model_file, "MOST_SCHEMA_BYTES", 100)
    assert "unreasonable size" in refusal(path)
    monkeypatch.undo()
    bomb = tmp_path / "bomb.skops"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("schema.json", "{}")
        for i in range(3):
            archive.writestr(f"{i}.npy", bytes(10**7))
    monkeypatch.setattr(_model_file, "MOST_BYTES", 2 * 10**7)
    assert "unreasonable size" in refusal(bomb)


def test_deeply_nested_schema_is_refused(tmp_path):
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", "[" * 100_000)
    assert "not a model file" in refusal(path)


def test_other_files_are_refused(tmp_path):
    assert "does not exist" in refusal(tmp_path / "none.skops")
    assert "is a folder" in refusal(tmp_path)
    plain = tmp_path / "plain.skops"
    plain.write_text("a,b\n1,2\n")
    assert "not a skops archive" in refusal(plain)
    archive = tmp_path / "archive.skops"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("hello.txt", "hello")
    assert "no schema inside" in refusal(archive)
    stranger = tmp_path / "stranger.skops"
    skops.io.dump(LinearRegression(), stranger)
    assert "was not written by margin compare" in refusal(stranger)


def test_a_file_with_addresses_of_an_earlier_version_asks_for_a_new_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(MarginLasso, "__module__", "margin.linear._lasso")
    monkeypatch.setitem(sys.modules, "margin.linear._lasso", margin.linear)
    path = saved(tmp_path, pipeline=MarginLasso())
    monkeypatch.undo()
    assert "run margin compare again" in refusal(path)


def test_incomplete_file_is_refused(tmp_path):
    path = tmp_path / "model.skops"
    skops.io.dump({"format": _model_file.FORMAT, "edition": 1, "winner": "x"}, path)
    assert "is incomplete" in refusal(path)
    skops.io.dump({"format": _model_file.FORMAT, "edition": 99}, path)
    assert "another edition" in refusal(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"pipeline": [1, 2]},
        {"task": "magic"},
        {"columns": 5},
        {"columns": ["a"]},
        {"columns": [{"name": "a"}]},
        {"test_interval": [0.1]},
        {"test_score": "high"},
        {"versions": []},
    ],
)
def test_file_with_parts_of_the_wrong_kind_is_refused(tmp_path, changes):
    assert "holds no usable model" in refusal(saved(tmp_path, **changes))


def test_damaged_copies_are_refused_or_whole(tmp_path):
    whole = saved(tmp_path).read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "damaged.skops"
    for _ in range(40):
        data = bytearray(whole)
        data[int(rng.integers(len(data)))] ^= int(rng.integers(1, 256))
        path.write_bytes(bytes(data[: int(rng.integers(len(data) // 2, len(data) + 1))]))
        assert "\n" not in attempt(path)


def test_archive_is_compressed(tmp_path):
    with zipfile.ZipFile(io.BytesIO(saved(tmp_path).read_bytes())) as archive:
        assert archive.getinfo("schema.json").compress_type == zipfile.ZIP_DEFLATED
