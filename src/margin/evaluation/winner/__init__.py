"""The winner in use: curves, calibration, intervals, effects, explanations, drift of new rows."""
