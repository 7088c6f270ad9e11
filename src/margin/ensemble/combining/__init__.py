"""Different models together: votes, means, and a model over their predictions."""
