"""The games of the table, as one visible list."""
