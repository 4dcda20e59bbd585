"""The program on the Pi: command line, rigs, lamps, buttons and pages that need pixels."""
