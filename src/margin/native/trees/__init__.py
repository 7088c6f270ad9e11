"""Trees: growing and prediction."""
