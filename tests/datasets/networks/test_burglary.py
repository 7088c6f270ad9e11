import pytest

from margin.datasets import load_burglary


def test_every_answer_by_enumeration(check_answers):
    """datasets.03: thirteen golden numbers."""
    assert check_answers(load_burglary()) == 13


def test_golden_numbers_of_the_curriculum():
    """datasets.03: the printed digits."""
    answers = load_burglary().answers
    golden = {
        "alarm=yes": 0.0159202,
        "alarm=yes | burglary=no": 0.00698,
        "alarm=yes | burglary=yes": 0.901,
        "burglary=no, earthquake=no | alarm=yes": 0.0609414455,
        "burglary=no, earthquake=yes | alarm=yes": 0.3731108906,
        "burglary=yes, earthquake=no | alarm=yes": 0.5540131405,
        "burglary=yes, earthquake=yes | alarm=yes": 0.0119345234,
        "burglary=yes | alarm=yes": 0.5659476640,
        "earthquake=yes | alarm=yes": 0.3850454140,
        "burglary=yes | alarm=yes, earthquake=yes": 0.0309951060,
        "burglary=yes | alarm=yes, earthquake=no": 0.9009009009,
    }
    for text, value in golden.items():
        assert answers[text] == pytest.approx(value, abs=5e-11), text


def test_explaining_away(ask):
    """datasets.03: dependent given the alarm, independent without it."""
    net = load_burglary()
    alone = ask(net, {"burglary": "yes"}, {"alarm": "yes"})
    explained = ask(net, {"burglary": "yes"}, {"alarm": "yes", "earthquake": "yes"})
    assert explained < alone
    assert ask(net, {"burglary": "yes"}, {"earthquake": "yes"}) == ask(net, {"burglary": "yes"})
