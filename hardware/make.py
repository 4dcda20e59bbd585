"""`./run hardware`: writes everything in this folder that follows from the numbers.

``python -m hardware.make`` writes the model's numbers, wiring, cutting plans and bills; ``... parts FOLDER`` renders every part
of one mat as STL, ``... plan FOLDER`` writes its cutting plan, ``... pictures`` takes the pictures of the build guide.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from hardware.bill import document, ladder_table, read_catalogue
from hardware.cutting import plans
from hardware.parts import ModelError, render, render_all
from hardware.sizes import sizes_scad
from hardware.wiring import drawings
from vision.enclosure import Enclosure
from vision.optics import OPTICS, STANDARD

HERE = Path(__file__).parent
LADDER_BEGINS, LADDER_ENDS = "<!-- ladder -->", "<!-- end of ladder -->"
VIEWS = {
    "mat": ("assembly", "160,-40,-30,42,0,165,900"),
    "opened": ("opened", "160,-50,-30,48,0,165,950"),
    "back": ("opened", "160,-60,-30,48,0,20,950"),
}
"""Picture name to part of the model and camera of OpenSCAD: a point, three angles, a distance."""


def files() -> dict[Path, str]:
    """Everything that is written, by its path."""
    catalogue = read_catalogue()
    written = {HERE / "sizes.scad": sizes_scad(), HERE / "bill.md": document(catalogue)}
    written |= {HERE / "wiring" / name: content for name, content in drawings().items()}
    written |= {HERE / "cutting" / name: content for name, content in plans(Enclosure()).items()}
    guide = HERE / "README.md"
    written[guide] = with_ladder(guide.read_text(encoding="utf-8"), ladder_table(catalogue))
    return written


def with_ladder(guide: str, table: str) -> str:
    """The build guide with the table of costs between its two marks."""
    before, _, rest = guide.partition(LADDER_BEGINS)
    _, _, after = rest.partition(LADDER_ENDS)
    return f"{before}{LADDER_BEGINS}\n{table}\n{LADDER_ENDS}{after}"


@click.group(invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Write everything in hardware/ that follows from the numbers."""
    if context.invoked_subcommand is None:
        for path, content in files().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
            click.echo(path.relative_to(HERE.parent))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default="runs/parts")
@click.option("--camera", type=click.Choice(list(OPTICS.camera)), default="cm3", show_default=True)
@click.option("--window", type=click.Choice(list(OPTICS.window)), default=STANDARD, show_default=True)
@click.option("--card", type=click.Choice(list(OPTICS.card)), default="poker", show_default=True)
def parts(folder: Path, camera: str, window: str, card: str) -> None:
    """Render every part of one mat as STL into FOLDER; this takes some minutes."""
    for path in render_all(Enclosure(camera, window, card), folder):
        click.echo(path)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default="runs/plans")
@click.option("--camera", type=click.Choice(list(OPTICS.camera)), default="cm3", show_default=True)
@click.option("--window", type=click.Choice(list(OPTICS.window)), default=STANDARD, show_default=True)
@click.option("--card", type=click.Choice(list(OPTICS.card)), default="poker", show_default=True)
def plan(folder: Path, camera: str, window: str, card: str) -> None:
    """Write the cutting plan of one mat as SVG into FOLDER, and as PDF where rsvg-convert is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in plans(Enclosure(camera, window, card)).items():
        drawing = folder / name
        drawing.write_text(content, encoding="utf-8")
        click.echo(drawing)
        try:
            subprocess.run(["rsvg-convert", "-f", "pdf", "-o", drawing.with_suffix(".pdf"), drawing], check=True)
        except FileNotFoundError:
            click.echo("rsvg-convert is missing, so there is no PDF; on Debian: apt install librsvg2-bin", err=True)
        else:
            click.echo(drawing.with_suffix(".pdf"))


@main.command()
def pictures() -> None:
    """Take the pictures of the build guide from the model, into hardware/pictures/."""
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for name, (part, view) in VIEWS.items():
        options = (f"--camera={view}", "--imgsize=1000,640", "--colorscheme=Tomorrow", "--projection=p")
        render(part, Enclosure(), folder / f"{name}.png", options=options)
        click.echo(folder / f"{name}.png")


if __name__ == "__main__":
    try:
        main()
    except ModelError as error:
        sys.exit(f"hardware: {error}")
