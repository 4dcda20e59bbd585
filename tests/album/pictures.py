"""Takes the pictures of all pages for the documents: `./run pictures [NAME]...`.

Everything on them is fixed, so that taking them again changes little; what the album does not name any more is deleted.
Pictures of cameras and decks are JPEG files, made by `python -m vision.synthetic.pictures`, and left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page

from tests.album.leaves import LEAVES, Leaf
from tests.album.looking import opened, opened_album
from tests.album.small import small_png
from tests.browser import close_browsers

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES: dict[str, tuple[tuple[int, int], float]] = {
    "tablet": ((1280, 800), 0.75), "portrait": ((800, 1280), 0.6), "phone": ((360, 740), 1.0),
}  # fmt: skip
"""Width and height of the window, and how large a point of it becomes in the picture.  ``-dark`` behind one is the dark theme."""
TALLEST = 1.9
"""A page that is longer than so many windows is cut off below."""


def names() -> tuple[str, ...]:
    """All pictures of pages that there are to be."""
    return tuple(file_name(leaf, size) for leaf in LEAVES for size in leaf.sizes)


def file_name(leaf: Leaf, size: str) -> str:
    return f"{leaf.name}-{size}.png"


def take(folder: Path, wanted: Sequence[str] = ()) -> Iterator[Path]:
    """Take the pictures into `folder`, those of the leaves `wanted` or all; the files, as they are written."""
    with opened_album() as (stages, browser):
        for leaf in LEAVES:
            if wanted and leaf.name not in wanted:
                continue
            for size in leaf.sizes:
                shape, scale = SIZES[size.removesuffix("-dark")]
                theme = "dark" if size.endswith("-dark") else "light"
                with opened(leaf, stages, browser, shape, theme, scale) as page:
                    file = folder / file_name(leaf, size)
                    file.write_bytes(small_png(_picture(page, shape)))
                yield file


def _picture(page: Page, shape: tuple[int, int]) -> bytes:
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.evaluate("document.fonts.ready")
    tall = page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0.0, "y": 0.0, "width": float(shape[0]), "height": min(float(tall), shape[1] * TALLEST)}
    return page.screenshot(full_page=True, clip=clip, animations="disabled", caret="hide")  # type: ignore[arg-type]


def prune(folder: Path) -> list[Path]:
    """Delete pictures of pages that the album does not have any more."""
    left = [file for file in sorted(folder.glob("*.png")) if file.name not in names()]
    for file in left:
        file.unlink()
    return left


def main(wanted: Sequence[str]) -> None:
    unknown = [name for name in wanted if name not in {leaf.name for leaf in LEAVES}]
    if unknown:
        sys.exit(
            f"pictures: there is no {', '.join(unknown)}; there are: {', '.join(leaf.name for leaf in LEAVES if leaf.sizes)}"
        )
    try:
        for file in take(FOLDER, wanted):
            print(f"{file.stat().st_size // 1024:5} KB  {file.name}")
    finally:
        close_browsers()
    for file in prune(FOLDER):
        print(f"deleted   {file.name}")
    print(f"{sum(file.stat().st_size for file in FOLDER.iterdir()) / 1e6:.2f} MB in {FOLDER}")


if __name__ == "__main__":
    main(sys.argv[1:])
