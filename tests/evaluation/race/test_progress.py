"""Telling a listener."""

from types import SimpleNamespace

from margin.evaluation.race._progress import Progress


def test_progress_may_have_any_of_its_methods():
    progress = Progress(SimpleNamespace(phase=lambda text: text.upper()))
    assert progress.phase("a") == "A"
    assert progress.finish() is None
    assert Progress().start(["m"], 5) is None
