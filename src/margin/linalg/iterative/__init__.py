"""Systems known only by products."""
