"""Setting a camera up: targets to print, and what pictures of them tell of lens, mirror, focus and light."""
