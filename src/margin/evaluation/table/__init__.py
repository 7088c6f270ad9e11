"""The table: scales of its columns, the task they pose, the score, rows set aside, folds."""
