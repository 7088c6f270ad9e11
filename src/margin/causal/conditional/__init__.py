"""Conditional effects: learners built on learners, and a forest."""
