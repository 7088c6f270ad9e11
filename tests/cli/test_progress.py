import io

from rich.console import Console

from margin.cli._progress import LiveTable


def console(**options):
    return Console(file=io.StringIO(), width=80, **options)


def rendered(table):
    out = console()
    out.print(table.render())
    return out.file.getvalue()


def test_table_follows_the_run_best_first():
    table = LiveTable(console(), budget=60.0)
    table.start(["slow", "good", "bad", "broken"], 2)
    for model, score in (("bad", 0.1), ("good", 0.9), ("good", 0.7), ("broken", float("nan"))):
        table.update(model, 0, score, 0.01)
    table.phase("learning curve")
    lines = rendered(table).splitlines()
    assert [line.split()[0] for line in lines[2:6]] == ["good", "bad", "slow", "broken"]
    assert "2/2" in lines[2]
    assert "0.800" in lines[2]
    assert lines[6].startswith("learning curve · 0 of 60 s")
    table.finish()
    assert "finished" in rendered(table)


def test_nothing_is_drawn_outside_a_terminal():
    out = console(force_terminal=False)
    with LiveTable(out, 60.0) as table:
        table.start(["a"], 1)
        table.update("a", 0, 0.5, 0.1)
    assert out.file.getvalue() == ""


def test_terminal_is_drawn_on_and_left_clean():
    out = console(force_terminal=True)
    with LiveTable(out, 60.0) as table:
        table.start(["model one"], 1)
        table.update("model one", 0, 0.5, 0.1)
    text = out.file.getvalue()
    assert "model one" in text
    # the cursor is shown again and the table is wiped
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
    assert text.endswith("\x1b[2K")


def test_quiet_terminal_stays_empty():
    out = console(force_terminal=True, quiet=True)
    with LiveTable(out, 60.0) as table:
        table.start(["a"], 1)
    assert out.file.getvalue() == ""


def test_the_problem_is_shown_before_the_table_is_drawn():
    out = console(force_terminal=True)
    with LiveTable(out, 60.0, lambda problem: out.print(f"about {problem}")) as table:
        assert out.file.getvalue() == ""
        table.stated("fish")
        table.start(["model one"], 1)
    text = out.file.getvalue()
    assert text.startswith("about fish\n")
    assert text.count("\x1b[?25l") == 1
    assert "model one" in text


def test_the_time_used_counts_from_where_it_is_told(monkeypatch):
    monkeypatch.setattr("time.perf_counter", lambda: 107.0)
    assert " 7 of 60 s " in rendered(LiveTable(console(), 60.0, started=100.0))
    assert " 0 of 60 s " in rendered(LiveTable(console(), 60.0))


def test_names_are_not_split_inside_a_word():
    table = LiveTable(console(), budget=60.0)
    table.start(["HistGradientBoostingClassifierOfAnotherLibrary"], 10)
    text = rendered(table)
    assert all(len(line) <= 80 for line in text.splitlines())
    for word in ("Hist", "Gradient", "Boosting", "Classifier", "Another", "Library"):
        assert word in text
