"""Maps that keep distances or neighbourhoods: scaling, graphs, random projections."""
