import pytest

from margin.ensemble.boosting._stage_table import StageTable


@pytest.mark.parametrize(
    ("verbose", "shown"), [(1, [*range(1, 11), *range(20, 101, 10), 200]), (2, [*range(1, 251)])]
)
def test_fewer_and_fewer_lines(verbose, shown, capsys):
    table = StageTable(verbose, 250, out_of_bag=False)
    for stage in range(1, 251):
        table.show(stage, 1.0 / stage, 0.0)
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) for line in lines[1:]] == shown


def test_numbers_line_up_below_their_names(capsys):
    table = StageTable(1, 20, out_of_bag=True, first_stage=10)
    table.show(11, 0.123456, -0.5)
    head, line = capsys.readouterr().out.splitlines()
    assert len(head) == len(line)
    assert line.split()[:3] == ["11", "0.1235", "-0.5000"]
