"""States that last for random times: segments, their ages and how they are learned."""
