"""Transitions that follow inputs: learning, filtering and best paths."""
