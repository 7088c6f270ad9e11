"""Order and groups of rows: which rows may judge which others."""
