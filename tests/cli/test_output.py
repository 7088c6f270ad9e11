import os

import pytest

from margin.cli import _output
from margin.cli._errors import CommandError


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_new_folder_appears_with_everything_in_it(tmp_path):
    target = tmp_path / "a" / "b"
    with _output.draft(target) as draft:
        (draft.folder / "x").write_text("1")
        (draft.folder / "y").write_text("2")
        assert not target.exists()
        draft.publish()
    assert names(target) == ["x", "y"]
    assert names(tmp_path) == ["a"]


def test_other_files_of_an_old_folder_survive(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine").write_text("keep")
    (target / "x").write_text("old")
    with _output.draft(target) as draft:
        (draft.folder / "x").write_text("new")
        draft.publish()
    assert names(target) == ["mine", "x"]
    assert (target / "x").read_text() == "new"
    assert names(tmp_path) == ["out"]


def test_failure_leaves_nothing(tmp_path):
    def work():
        with _output.draft(tmp_path / "out") as draft:
            (draft.folder / "x").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert names(tmp_path) == []


def test_folder_below_a_file_is_refused_before_any_work(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for target in (file, file / "below" / "it"):
        with pytest.raises(CommandError, match="is not a folder"), _output.draft(target):
            pytest.fail("work was begun")


def test_read_only_folder_is_refused_before_any_work(tmp_path, monkeypatch):
    # permissions do not bind every user, so the system's answer is made here
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(CommandError, match="Permission denied"), _output.draft(tmp_path / "out"):
        pytest.fail("work was begun")
    with pytest.raises(CommandError, match="Permission denied"):
        _output.check_file(tmp_path / "x.json", "--json")
    assert names(tmp_path) == []


def test_disk_that_fails_while_publishing_is_named(tmp_path, monkeypatch):
    def refuse(*args):
        raise OSError(28, "No space left on device")

    def work():
        with _output.draft(tmp_path / "out") as draft:
            (draft.folder / "x").write_text("1")
            monkeypatch.setattr(os, "replace", refuse)
            draft.publish()

    with pytest.raises(CommandError, match="No space left"):
        work()
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_file_is_written_in_one_step(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    _output.write(path, b"one")
    assert path.read_bytes() == b"one"

    def refuse(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(CommandError, match="cannot write"):
        _output.write(path, b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["x.json"]


def test_places_that_are_no_files(tmp_path):
    with pytest.raises(CommandError, match="must be a file"):
        _output.check_file(tmp_path, "--json")
    with pytest.raises(CommandError, match="there is no folder"):
        _output.check_file(tmp_path / "a" / "b", "--json")
