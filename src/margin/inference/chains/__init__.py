"""Chains of discrete states, seen or hidden: messages, best paths, draws, long runs."""
