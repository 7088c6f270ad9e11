"""What pytest needs to run the rewritten files and to tell which tests touch margin."""

import functools
import importlib
import inspect
import json
import os
import signal
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sklearn.conftest import *  # noqa: F403

from tools.dropin.namesakes import namesakes
from tools.dropin.rewrite import concerned_tests

OUTCOMES, LIMIT = "MARGIN_DROPIN_OUTCOMES", "MARGIN_DROPIN_LIMIT"
_OURS = namesakes()
_CLASSES = tuple(item for item in _OURS.values() if isinstance(item, type))
_FUNCTIONS = tuple(item for item in _OURS.values() if not isinstance(item, type))
_touched = False
_started = 0.0  # of the processor: others may be at work


class _Package(ModuleType):
    """A package of scikit-learn with margin's models in the place of its own."""

    def __getattr__(self, name: str) -> Any:
        theirs = importlib.import_module(self.__name__)
        return ours(name) if name in _OURS and hasattr(theirs, name) else getattr(theirs, name)


def ours(name: str) -> Any:
    """Return margin's item of a name, or a package with them; a call marks the running test."""
    if name not in _OURS:
        return _Package(f"sklearn.{name}")
    item = _OURS[name]
    if isinstance(item, type):
        return _marking_class(item)
    return _marking_function(item)


@functools.cache
def _marking_class(cls: type) -> type:
    def __new__(kind: type, /, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        _mark()
        return object.__new__(kind)

    # What a class takes is read from here before its constructor.
    __new__.__signature__ = inspect.signature(cls.__init__)  # type: ignore[attr-defined, misc]
    cls.__new__ = __new__  # type: ignore[method-assign]
    return cls


@functools.cache
def _marking_function(function: Any) -> Any:
    @functools.wraps(function)
    def marking(*args: Any, **kwargs: Any) -> Any:
        _mark()
        return function(*args, **kwargs)

    return marking


def _mark() -> None:
    global _touched
    _touched = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that cannot touch margin."""
    tests = functools.cache(lambda path: concerned_tests(path.read_text(encoding="utf-8")))
    kept, left_out = [], []
    for item in items:
        certain = tests(item.path).get(_outermost(item))
        touching = certain or (certain is False and _holds_ours(_parameters(item)))
        (kept if touching else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def _outermost(item: pytest.Item) -> str:
    """Name of the function or class of the file that holds a test."""
    return item.nodeid.split("::")[1].partition("[")[0]


def _parameters(item: pytest.Item) -> list[Any]:
    return list(getattr(getattr(item, "callspec", None), "params", {}).values())


def _holds_ours(value: Any, depth: int = 5) -> bool:
    """Whether a value is one of margin's models, or holds one."""
    if isinstance(value, type):
        return value in _CLASSES
    if isinstance(value, _CLASSES) or getattr(value, "__wrapped__", None) in _FUNCTIONS:
        return True
    if depth == 0:
        return False
    if isinstance(value, dict):
        return any(_holds_ours(part, depth - 1) for part in value.values())
    if isinstance(value, list | tuple):
        return any(_holds_ours(part, depth - 1) for part in value)
    if isinstance(value, functools.partial):
        return _holds_ours([value.func, *value.args, value.keywords], depth - 1)
    if hasattr(value, "get_params"):
        return _holds_ours(value.get_params(deep=False), depth - 1)
    return callable(value)  # it may make one


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Forget what the test before touched; start its clock."""
    global _touched, _started
    _touched, _started = False, time.process_time()
    signal.setitimer(signal.ITIMER_PROF, float(os.environ.get(LIMIT, 0)))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(number: int, frame: Any) -> None:
    pytest.skip("works for longer than the limit")


signal.signal(signal.SIGPROF, _too_long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Write the outcome of a test that touched margin."""
    report = yield
    # Parameters may hold a model that was made when the file was read.
    touched = _touched or any(_is_ours(value) for value in _parameters(item))
    if report.when == "call" and touched and not report.skipped:
        error = "" if call.excinfo is None else call.excinfo.exconly(tryshort=True)
        _write(item.nodeid, report.outcome, error, time.process_time() - _started)
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: Any) -> None:
    """Write a test that took its worker with it."""
    _write(crashitem, "failed", "the process ended")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Write a file that cannot even be read: as far as we know all of it touches margin."""
    if report.failed:
        _write(report.nodeid, "failed", str(report.longrepr)[-300:])


def _write(test: str, outcome: str, error: str, seconds: float = 0.0) -> None:
    line = {"test": test, "outcome": outcome, "error": error[:300], "seconds": round(seconds, 3)}
    with Path(os.environ[OUTCOMES]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _is_ours(value: Any) -> bool:
    return value in _CLASSES if isinstance(value, type) else isinstance(value, _CLASSES)
