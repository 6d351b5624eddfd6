"""What the scripts of the bundle share: one module per stage, standard library only."""
