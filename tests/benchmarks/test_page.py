import pytest

from benchmarks import page


def entry(name, best, **changes):
    known = {
        "name": name,
        "ours": name == "margin",
        "binding": True,
        "note": "",
        "status": "ok",
        "reason": "",
        "setting": {"tol": 1e-6},
        "objective": 0.25,
        "certificate": 3e-7,
        "extra_mib": 2.0,
        "best": best,
        "median": best,
        "seconds": [best],
    }
    return known | changes


def skipped(name):
    known = entry(name, 0.0, status="skipped", reason="no a|b", objective=None, certificate=None)
    known["extra_mib"] = None
    return {key: value for key, value in known.items() if key not in ("best", "median", "seconds")}


def size(label, scale, *, busy=0.0):
    return {
        "label": label,
        "elements": round(1000 * scale),
        "required": True,
        "run": "2026-01-01",
        "others_busy": busy,
        "contestants": [
            entry("margin", 0.002 * scale, objective=0.26),
            entry("peer", 0.004 * scale**2, note="explained"),
            entry("sloppy", 0.001, status="missed", reason="slope 1.0e-02"),
            skipped("absent"),
        ],
    }


@pytest.fixture
def results():
    case = {
        "description": "What it is.",
        "objective": "loss",
        "tolerance": 1e-6,
        "certificate": "slope",
        "limit": 1e-6,
        "required_ratio": 1.0,
        "required_memory": None,
        "required_seconds": None,
        "sizes": [size("small", 1.0), size("large", 1000.0, busy=0.4)],
    }
    run = {
        "processor": "a chip",
        "processors": 2,
        "threads": 2,
        "memory_gib": 4.0,
        "system": "Linux",
        "python": "3.11",
        "repeats": 7,
        "versions": {"numpy": "2.0", "absent": None},
    }
    return {"schema": 1, "runs": {"2026-01-01": run}, "cases": {"first": case}}


def rows(text, start):
    return [line for line in text.splitlines() if line.startswith(f"| {start}")]


def test_a_row_says_who_won_and_by_how_much(results):
    text = page.render(results)
    assert "| small | 2 ms | 4 ms (peer) | 2.00 | 1.00 | +1.0e-02 | — |" in text


def test_growth_is_given_from_the_second_size_and_a_busy_machine_is_marked(results):
    text = page.render(results)
    assert rows(text, "first | large (busy)")
    (large,) = rows(text, "large (busy)")
    assert large.endswith("| 1.00 / 2.00 |")
    assert "2.00 s | 4000.00 s (peer)" in large


def test_what_is_asked_comes_with_its_verdict(results):
    text = page.render(results)
    assert "| first | small | 2 | at least 1 × as fast as peer | 2.00 × | yes |" in text
    results["cases"]["first"]["required_ratio"] = 3.0
    assert "| 2.00 × | **no** |" in page.render(results)


def test_each_peer_with_a_ratio_of_its_own_has_a_row(results):
    for known in results["cases"]["first"]["sizes"]:
        known["contestants"].append(entry("named", 1.0, required_ratio=600.0))
    text = page.render(results)
    assert "| first | small | 2 | at least 1 × as fast as peer | 2.00 × | yes |" in text
    assert "| first | small | 2 | at least 600 × as fast as named | 500.00 × | **no** |" in text


def test_misses_and_absences_are_shown(results):
    text = page.render(results)
    assert "misses the target: slope 1.0e-02" in text
    assert "not run: no a\\|b" in text
    assert "*peer*: explained" in text


def test_an_answer_of_ours_that_misses_is_marked(results):
    results["cases"]["first"]["sizes"][0]["contestants"][0]["status"] = "missed"
    assert "2 ms (misses the target)" in page.render(results)


def test_every_table_has_as_many_cells_in_each_row_as_in_its_head(results):
    blocks = page.render(results).split("\n\n")
    tables = [block.splitlines() for block in blocks if block.startswith("|")]
    assert len(tables) == 4
    for lines in tables:
        assert len({line.replace("\\|", "").count("|") for line in lines if line}) == 1


def test_the_machine_and_the_installed_versions_are_named(results):
    text = page.render(results)
    assert "a chip, 2 processors" in text
    assert "numpy 2.0 |" in text


def test_an_empty_file_still_makes_a_page():
    text = page.render({"schema": 1, "runs": {}, "cases": {}})
    assert text.startswith("# Benchmarks")
    assert "|" not in text


def test_settings_may_be_words():
    assert page._setting({"tol": 1e-06, "sweeps": 40, "method": "batch"}) == (
        "tol=1e-06, sweeps=40, method=batch"
    )
    assert page._setting({}) == "—"
