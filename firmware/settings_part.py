"""What every part of the settings file has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A table of the file; frozen, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
