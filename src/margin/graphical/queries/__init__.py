"""Questions and answers: evidence, engines, results, explanations."""
