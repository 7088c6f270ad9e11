"""Lines of passes."""

from margin.mixture.topics._pass_lines import silent, teller


def test_lines(capsys):
    tell = teller(3)
    tell(1, None)
    tell(2, 4.5)
    silent(3, 4.0)
    assert capsys.readouterr().out == (
        "iteration: 1 of max_iter: 3\niteration: 2 of max_iter: 3, perplexity: 4.5000\n"
    )
