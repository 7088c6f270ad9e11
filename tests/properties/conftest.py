"""Examples are drawn alike on every machine, and a busy one is no failure."""

from hypothesis import settings

settings.register_profile("margin", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("margin")
