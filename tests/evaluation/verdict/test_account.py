"""The short account of a comparison."""

from xml.etree import ElementTree as ET

from margin.evaluation.verdict._account import WIDTH, Account

LONG = "QuadraticDiscriminantAnalysis"


def account(**changes):
    parts = {
        "title": "Comparison",
        "sentences": ["A verdict that goes on for rather long, " * 4],
        "head": ["model", "accuracy"],
        "rows": [[LONG, "0.975"], ["<b>", "–"]],
    }
    return Account(**{**parts, **changes})


def test_text_fits_and_splits_no_name():
    lines = account(rest=3).text().splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert any(LONG in line for line in lines)
    assert lines[-1] == "  … 3 more"
    assert len({line.rindex(end) for line, end in zip(lines[-3:-1], ("5", "–"), strict=True)}) == 1


def test_html_is_well_formed_and_escaped():
    tree = ET.fromstring(account(rest=1).html())
    cells = [cell.text for cell in tree.iter("td")]
    assert cells == [LONG, "0.975", "<b>", "–"]
    assert "… 1 more" in "".join(tree.itertext())
