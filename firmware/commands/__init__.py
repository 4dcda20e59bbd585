"""The commands, one module each; a module's `command` is found by the module's name."""
