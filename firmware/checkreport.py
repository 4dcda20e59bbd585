"""The report of a check: a page with pictures, and the same in JSON, in a folder."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cards import Card, Mark
from companion.words.check import verdict_words
from firmware.checking import Finding, Grade, facts_json
from firmware.errors import RecordingError
from vision.calibrate import marker_corners_mm
from vision.checkup import Checkup, Shown, cards_of
from vision.frame import Image
from vision.layout import WINDOW_PX, Rect

COLOURS = {Grade.GOOD: (90, 160, 40), Grade.WEAK: (0, 150, 240), Grade.BAD: (40, 40, 220)}
"""Blue, green, red."""
SIGNS = {Grade.GOOD: "", Grade.WEAK: "~", Grade.BAD: "X"}
"""Beside the colour, for those who cannot tell it."""
_STYLE = """body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;color:#18211d}
img{max-width:100%;height:auto;display:block;margin:.5rem 0}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.35rem .6rem;text-align:left;vertical-align:top}
.bad{color:#a01010;font-weight:600}.weak{color:#8a5200}.good{color:#1c5b35}"""


def report_json(checkups: Sequence[Checkup], seats: Sequence[int], findings: Sequence[Finding]) -> dict[str, Any]:
    """The whole outcome as one object."""
    shown = [one for checkup in checkups for one in checkup.shown]
    counted = cards_of(shown)
    return {
        "passed": passed(findings),
        "cards_counted": len(counted),
        "cards_unread": sum(one.seen is Mark.UNREADABLE for one in shown),
        "findings": [finding.to_json() for finding in findings],
        "mats": [facts_json(seat, checkup) for seat, checkup in zip(seats, checkups, strict=True)],
    }


def passed(findings: Sequence[Finding]) -> bool:
    """Whether nothing is bad."""
    return all(finding.grade is not Grade.BAD for finding in findings)


def write_report(folder: Path, checkups: Sequence[Checkup], seats: Sequence[int], findings: Sequence[Finding]) -> Path:
    """Write ``report.html``, ``report.json`` and the pictures; raise `RecordingError` where that fails.  Returns the page."""
    told = report_json(checkups, seats, findings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
        parts = [_summary(told, findings)]
        for seat, checkup in zip(seats, checkups, strict=True):
            parts.append(_mat_part(folder, seat, checkup, findings))
        page = folder / "report.html"
        page.write_text(_page("".join(parts)), encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{folder}: the report cannot be written: {error.strerror or error}") from error
    return page


def _page(body: str) -> str:
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>Check of the table</title><style>{_STYLE}</style>"
    return f"{head}<h1>Check of the table</h1>{body}</html>\n"


def _summary(told: dict[str, Any], findings: Sequence[Finding]) -> str:
    ok = told["passed"]
    words = verdict_words(ok, sum(finding.grade is Grade.WEAK for finding in findings))
    lines = [
        f'<p class={"good" if ok else "bad"}>{html.escape(words)}</p>',
        f'<p>{told["cards_counted"]} of 52 cards counted; {told["cards_unread"]} times a card could not be read.</p>',
    ]
    if findings:
        lines.append("<table><tr><th>Where<th>What<th>What to change</tr>")
        for one in findings:
            grade = one.grade.name.lower()
            cells = (html.escape(text) for text in (one.where(), one.problem(), one.advice()))
            lines.append(f"<tr class={grade}><td>{'<td>'.join(cells)}</tr>")
        lines.append("</table>")
    return "".join(lines)


def _mat_part(folder: Path, seat: int, checkup: Checkup, findings: Sequence[Finding]) -> str:
    name = f"mat{seat + 1}"
    parts = [f"<h2>Mat {seat + 1}</h2>"]
    facts = checkup.facts
    if facts is not None and checkup.picture is not None:
        _write(folder / f"{name}.png", marked(seat, checkup, findings))
        errors = max(marker.error_mm for marker in facts.markers)
        parts.append(
            f'<img src="{name}.png" alt="the empty mat with its windows and markers">'
            f"<p>Edges {facts.edge_px:.1f} px wide, {facts.px_per_mm:.1f} px a millimetre; white paper {facts.white:.0f} of 255, "
            f"{facts.unevenness:.0%} uneven; noise {facts.noise:.1f}; markers at most {errors:.2f} mm aside.</p>"
        )
    if checkup.shown:
        _write(folder / f"{name}-cards.png", sheet(checkup.shown))
        parts.append(f'<img src="{name}-cards.png" alt="every card that was shown, with what was read">')
    return "".join(parts)


def marked(seat: int, checkup: Checkup, findings: Sequence[Finding]) -> Image:
    """The empty mat, its windows and markers drawn in the colour of the worst that was found about them."""
    assert checkup.facts is not None and checkup.picture is not None
    picture = checkup.picture.copy()
    to_px = checkup.facts.registration.to_px
    for index, window in enumerate(checkup.layout.windows):
        grades = [one.grade for one in findings if one.seat == seat and one.window == index]
        grade = max(grades, default=Grade.GOOD)
        corners = to_px(_corners(window))
        cv2.polylines(picture, [np.rint(corners).astype(np.int32)], True, COLOURS[grade], 2, cv2.LINE_AA)
        label = f"{index + 1}{SIGNS[grade]}"
        x, y = corners.mean(axis=0)
        cv2.putText(picture, label, (int(x) - 18, int(y) + 12), cv2.FONT_HERSHEY_SIMPLEX, 1.2, COLOURS[grade], 3, cv2.LINE_AA)
    errors = {marker.id: marker.error_mm for marker in checkup.facts.markers}
    for marker in checkup.layout.markers:
        wrong = marker.id not in errors or errors[marker.id] >= 0.5
        grade = Grade.BAD if wrong else Grade.GOOD
        px = np.rint(to_px(marker_corners_mm(marker))).astype(np.int32)
        cv2.polylines(picture, [px], True, COLOURS[grade], 2, cv2.LINE_AA)
    return picture


def _corners(rect: Rect) -> np.ndarray[Any, np.dtype[np.float64]]:
    right, bottom = rect.x + rect.width, rect.y + rect.height
    return np.array([[rect.x, rect.y], [right, rect.y], [right, bottom], [rect.x, bottom]])


def sheet(shown: Sequence[Shown]) -> Image:
    """Every window that was shown, with what it was read as; unread ones are framed."""
    width, height = WINDOW_PX
    columns, caption, gap = 15, 22, 6
    lines = -(-len(shown) // columns)
    cell = (height + caption + gap, width + gap)
    canvas = np.full((lines * cell[0] + gap, columns * cell[1] + gap, 3), 255, np.uint8)
    for number, one in enumerate(shown):
        top, left = number // columns * cell[0] + gap, number % columns * cell[1] + gap
        canvas[top : top + height, left : left + width] = one.patch
        read = isinstance(one.seen, Card)
        colour = COLOURS[Grade.GOOD if read else Grade.BAD]
        if not read:
            cv2.rectangle(canvas, (left - 2, top - 2), (left + width + 1, top + height + 1), colour, 2)
        text = str(one.seen) if read else "?"
        place = (left + 8, top + height + 17)
        cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, colour, 1, cv2.LINE_AA)
    return canvas


def _write(path: Path, picture: Image) -> None:
    path.write_bytes(bytes(cv2.imencode(".png", picture)[1]))
