"""Structural models: interventions, queries, counterfactuals, effects along paths."""
