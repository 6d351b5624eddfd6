"""The article's sections, in the order in which they are read."""
