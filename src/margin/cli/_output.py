"""Results reach the disk complete or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from margin.cli._errors import CommandError


class Draft:
    """A hidden folder beside the target, in which results are prepared.

    Parameters
    ----------
    folder : Path
        The draft; write files here.
    target : Path
        Where :meth:`publish` moves them.
    """

    def __init__(self, folder: Path, target: Path) -> None:
        self.folder, self.target = folder, target

    def publish(self) -> None:
        """Move everything into place; a file of the same name is replaced in one step."""
        try:
            self.target.mkdir(parents=True, exist_ok=True)
            for file in sorted(self.folder.iterdir()):
                os.replace(file, self.target / file.name)
        except OSError as error:
            raise CommandError(f"cannot write to {self.target}: {_reason(error)}") from error


@contextmanager
def draft(target: Path) -> Iterator[Draft]:
    """A draft of the folder ``target``, removed afterwards; refuses what cannot be written.

    The refusal comes before the block is entered, so that no long computation is lost.
    """
    parent = existing(target)
    if not parent.is_dir():
        what = f"{parent} is not a folder"
        raise CommandError(f"cannot write to {target}: {what}")
    try:
        # a trial in the target itself: it may be read-only where its parent is not
        with tempfile.TemporaryFile(dir=parent):
            pass
        home = parent.parent if parent == target and _movable(parent) else parent
        folder = Path(tempfile.mkdtemp(prefix=".margin-", dir=home))
    except OSError as error:
        raise CommandError(f"cannot write to {target}: {_reason(error)}") from error
    try:
        yield Draft(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def existing(path: Path) -> Path:
    """The path itself or its nearest ancestor that exists."""
    path = path.absolute()
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def check_file(path: Path, option: str) -> None:
    """Refuse, before any work, a file that could not be written."""
    if path.is_dir():
        raise CommandError(f"{option} must be a file, got the folder {path}")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise CommandError(f"cannot write {path}: there is no folder {parent}")
    try:
        with tempfile.TemporaryFile(dir=parent):
            pass
    except OSError as error:
        raise CommandError(f"cannot write {path}: {_reason(error)}") from error


def write(path: Path, content: bytes) -> None:
    """Write a file in one step: readers see the old content or the new, never a part."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.absolute().parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise CommandError(f"cannot write {path}: {_reason(error)}") from error
        raise


def _movable(folder: Path) -> bool:
    """Whether a draft beside ``folder`` can be renamed into it: same disk, writable parent."""
    try:
        same = folder.stat().st_dev == folder.parent.stat().st_dev
        return same and os.access(folder.parent, os.W_OK)
    except OSError:
        return False


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
