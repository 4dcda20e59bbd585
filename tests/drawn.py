"""Makes the files of the app that are no text: its icons out of ``icon.svg``, and the silent film that keeps a screen on.

`./run drawn` runs it after the icon was changed; it needs rsvg-convert and ffmpeg (Debian: librsvg2-bin, ffmpeg).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

STATIC = Path(__file__).parent.parent / "companion" / "web" / "static"
GROUND = '<rect width="32" height="32" rx="7" fill="#0b5a43"/>'
"""The icon's ground.  Systems that cut icons into a shape of their own want it up to the edges, and the figure well inside."""
FILM = ("-f", "lavfi", "-i", "color=black:size=32x32:rate=2:duration=8")
SILENCE = ("-f", "lavfi", "-i", "anullsrc=channel_layout=mono:sample_rate=16000", "-shortest")


def maskable(svg: str) -> str:
    """The icon for systems that cut it themselves; raise `ValueError` for a drawing without the ground that is known here."""
    if svg.count(GROUND) != 1:
        raise ValueError(f"icon.svg: expected the ground {GROUND} once; found it {svg.count(GROUND)} times")
    head, figure = svg.split(GROUND)
    return f'{head}<rect width="32" height="32" fill="#0b5a43"/><g transform="translate(6.4 6.4) scale(.6)">' + figure.replace(
        "</svg>", "</g></svg>"
    )


def icons(folder: Path) -> None:
    """Draw all icons into `folder`."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    for name, drawing, size in (
        ("icon-192", svg, 192), ("icon-512", svg, 512), ("icon-512-maskable", maskable(svg), 512),
    ):  # fmt: skip
        command = ["rsvg-convert", "--width", str(size), "--height", str(size), "--output", str(folder / f"{name}.png")]
        subprocess.run(command, input=drawing, text=True, check=True)


def film(folder: Path) -> None:
    """Eight seconds of black and of silence, as every browser plays it.  The sound is there because systems count it."""
    video = ("-c:v", "libx264", "-profile:v", "baseline", "-pix_fmt", "yuv420p", "-preset", "slow", "-crf", "40", "-g", "16")
    sound = ("-c:a", "aac", "-b:a", "8k")
    exact = ("-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")
    told = ("-movflags", "+faststart", str(folder / "awake.mp4"))
    command = ["ffmpeg", "-loglevel", "error", "-y", *FILM, *SILENCE, *video, *sound, *exact, *told]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    icons(STATIC)
    film(STATIC)
