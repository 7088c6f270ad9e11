"""What a reader is told about the limits of an answer."""

from margin.evaluation.verdict._limits import Limits


def test_nothing_limited_the_answer():
    assert Limits().text == ()
    assert Limits(60.0, folds=(("Ridge", 10),)).text == ()


def test_the_budget_and_the_folds_of_the_leaders_are_named():
    limits = Limits(60.0, folds=(("A", 5), ("B", 5), ("C", 1), ("D", 1)), out_of_time=True)
    assert not limits.leaders_have_enough_folds
    assert limits.text == ("the budget of 60 s ended the race when the leaders had 1 to 5 folds",)


def test_leaders_of_one_fold_each():
    limits = Limits(9.0, folds=(("A", 1), ("B", 1)), out_of_time=True)
    assert limits.text == ("the budget of 9 s ended the race when the leaders had 1 fold",)


def test_enough_folds_are_not_worth_a_word():
    limits = Limits(60.0, folds=(("A", 7), ("B", 5), ("C", 5), ("D", 1)), out_of_time=True)
    assert limits.leaders_have_enough_folds
    assert limits.text == ("the budget of 60 s ended the race",)


def test_models_that_left_are_counted_and_those_stopped_named():
    names = [f"M{i}" for i in range(6)]
    limits = Limits(
        folds=tuple((name, 2) for name in names),
        left=tuple((name, "behind") for name in names[1:]),
        stopped=(("Slow", "after 3 s"),),
    )
    assert limits.text == (
        "5 of 6 models were far behind and left the race early",
        "stopped at the limit of a single fit: Slow",
    )


def test_models_without_time_for_all_folds_are_named_but_not_all():
    names = [f"M{i}" for i in range(6)]
    limits = Limits(
        9.0,
        folds=tuple((name, 5 if i < 3 else 1) for i, name in enumerate(names)),
        out_of_time=True,
        unfinished=tuple((name, "no time") for name in names[1:]),
    )
    assert limits.text == (
        "the budget of 9 s ended the race; fewer folds than others: M1, M2, M3 and 2 others",
    )


def test_only_baselines_says_so_and_nothing_else():
    assert Limits(only_baselines=True).text == (
        "only baselines finished: no model could be fitted",
    )
    assert "within 2 s" in Limits(2.0, only_baselines=True, out_of_time=True).text[0]
