"""Growing of trees: values, bins, splits, prediction."""
