"""Missing data: graphs of what hides values, and what can be recovered all the same."""
