"""What is built: model, plans, wiring and bills, all from the same numbers as the program (`./run hardware`)."""
