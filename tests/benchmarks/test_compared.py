from benchmarks import compared


def test_a_line_has_the_winner_the_peers_and_the_folds(monkeypatch):
    board = {
        "winner": "Ridge",
        "metric": "R²",
        "test_score": 0.5,
        "test_interval": [0.3, 0.7],
        "seconds": 58.0,
        "results": [
            {"folds": 5, "is_baseline": False},
            {"folds": 10, "is_baseline": True},
            {"folds": 4, "is_baseline": False},
        ],
    }
    monkeypatch.setattr(compared, "compare_table", lambda data, budget: board)
    monkeypatch.setattr(compared, "fit_peer", lambda data, peer: {"test_score": 0.25})
    words = compared.line("wine", 60.0).split()
    assert words[:6] == ["wine", "Ridge", "R²", "0.500", "0.250", "0.250"]
    assert words[-2:] == ["folds", "5/4"]
    assert "(58.0)" in words


def test_a_table_that_fails_does_not_end_the_others(monkeypatch):
    def fail(data, budget):
        raise RuntimeError("exit status 3: only\nbaselines finished")

    monkeypatch.setattr(compared, "compare_table", fail)
    assert compared.line("wine", 1.0).split(maxsplit=1) == [
        "wine",
        "none: exit status 3: only baselines finished",
    ]
