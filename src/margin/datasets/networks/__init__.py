"""Networks and causal stories with known answers."""
