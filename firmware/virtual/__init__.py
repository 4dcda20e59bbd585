"""The virtual table: cards moved by scripted players, and the cameras that see them."""
