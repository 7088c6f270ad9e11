"""Series: causes before their effects in time, and at the same time."""
