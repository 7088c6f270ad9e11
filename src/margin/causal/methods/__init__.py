"""Methods of estimation as values: scores, influence functions, intervals."""
