"""Members of an ensemble: made, seeded, fitted, and asked."""
