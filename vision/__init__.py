"""From pictures to observations.  The last place that knows pixels is `vision.observe`."""
