"""AdaBoost: each model learns from the rows that the models before it got wrong."""
