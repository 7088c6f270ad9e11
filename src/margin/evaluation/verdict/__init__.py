"""The verdict: standings, tests between models, the winner on rows nobody has seen."""
