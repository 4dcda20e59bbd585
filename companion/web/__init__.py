"""The dashboard: one live page that reads views and posts declarations.  It never knows a hidden card."""

from companion.web.app import create_app
from companion.web.table import LiveTable, Offer

__all__ = ["LiveTable", "Offer", "create_app"]
