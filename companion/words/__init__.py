"""Every sentence that a player hears or reads.  Outside callers use `companion.announcements`."""
