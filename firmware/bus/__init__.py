"""Mats with a computer of their own, the hub, and the broker between them."""
