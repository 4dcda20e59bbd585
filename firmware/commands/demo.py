"""`viewmat demo`: games on the virtual table, on the page and on lamps that are only pretended."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

import click
import cv2

from companion.choices import Choices
from companion.games import find_game
from companion.limits import Rig
from companion.views import Role
from companion.web.app import create_app
from companion.web.bench import bench_pages
from companion.web.catalogues import LANGUAGES
from companion.web.drafts import Drafts
from companion.web.gate import Access, Preset
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.joining import link_to
from companion.web.languages import speak_usually
from companion.web.photo import PhotoPage
from companion.web.puppet import puppet_pages
from companion.web.setup import Setup
from companion.web.strings import string_pages
from firmware.archive import Archive
from firmware.board import PinBoard
from firmware.datafolder import demo_folder
from firmware.exchange import Exchange
from firmware.gpio import desk_factories
from firmware.healthpage import open_health
from firmware.houserules import check_seats, house_rules_option
from firmware.logtail import LogTail
from firmware.panel import Panel
from firmware.photodesk import PhotoDesk
from firmware.photoreader import PhotoReader
from firmware.pins import find_pins
from firmware.profiles import profile_option
from firmware.ranges import FiniteRange
from firmware.securepage import HTTPS_PORT, all_addresses, served_both, usable_authority
from firmware.serving import addresses, until_stopped
from firmware.virtual.bench import VirtualCheck, VirtualLesson
from firmware.virtual.kinds import kind_of
from firmware.virtual.outfit import EmptyMats, ShowOutfit
from firmware.virtual.play import Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.rendered import open_deck
from firmware.virtual.run import check as check_settings
from firmware.virtual.server import packaged_classifier
from firmware.virtual.show import Show, Showcase
from firmware.virtual.strings import PuppetStrings
from vision.synthetic.art import DeckArt

HOST = "0.0.0.0"
PINS = "A"
"""The pin map with a lamp for every slot of five seats."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes a free one.")
@click.option(
    "--https-port",
    type=click.IntRange(0, 65535),
    show_default=str(HTTPS_PORT),
    help="Port of the secure page, once `viewmat https` has been run; 0: none.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--game", default="steal", show_default=True, help="Which game is played; a session of hands where it has chips.")
@house_rules_option
@click.option("--seats", type=int, help="4 if not told, and 5 with --play.")
@click.option("--play", "plays", is_flag=True, help="You move the cards of the first seat, on the page that the link opens.")
@click.option("--autoplay/--no-autoplay", default=True, help="Without it the first seat waits for your taps on the page.")
@click.option("--speed", type=FiniteRange(0.1, 50), default=1.0, show_default=True, help="Times as fast as people.")
@click.option("--hard-mode", is_flag=True, help="No card may be looked at after the start.")
@click.option("--cheat", type=FiniteRange(0, 1), default=0.04, show_default=True, help="How often a rule is broken.")
@click.option("--habits", type=FiniteRange(0, 1), default=0.25, show_default=True, help="Share of lively players.")
@click.option("--pause", type=FiniteRange(0), default=15.0, show_default=True, help="Seconds between two games.")
@click.option("--phone-peek", is_flag=True, help="A player's own phone shows his hidden cards; never in hard mode.")
@click.option("--record/--no-record", default=True, help="Keep the last games, apart from those of `viewmat run`.")
@click.option(
    "--language", type=click.Choice(tuple(LANGUAGES)), default="en", show_default=True, help="For browsers that ask for none."
)
@profile_option
def command(
    port: int, https_port: int | None, seed: int, game: str, options: Mapping[str, Any], seats: int | None, plays: bool,
    autoplay: bool, speed: float, hard_mode: bool, cheat: float,
    habits: float, pause: float, phone_peek: bool, record: bool, language: str, profile: str | None,
) -> None:  # fmt: skip
    """Show the dashboard and play on the virtual table; every frame is rendered and read by the shipped model."""
    cv2.setNumThreads(1)
    seats = (5 if plays else 4) if seats is None else seats
    check_seats(game, seats)
    sources = () if autoplay else ("tap", *("mat",) * (seats - 1))
    settings = Settings(
        game=find_game(game).name, seats=seats, seed=seed, hard_mode=hard_mode, cheat=cheat, habits=habits, sources=sources,
        profile=profile, persons=() if autoplay else (0,), rules=tuple(options.items()),
    )  # fmt: skip
    check_settings(settings)
    if plays and kind_of(find_game(game)).session:
        raise click.BadParameter(f"nobody moves the cards of {settings.game} by hand yet: use --no-autoplay", param_hint="--play")
    showcase = Showcase(settings, phone_peek=phone_peek, record=record)

    def art() -> DeckArt:
        return open_deck(None, None)

    lesson = VirtualLesson(art, "normal", seed)
    check = VirtualCheck(art, "normal", seed, seats, lambda: packaged_classifier(profile))
    strings, puppet, access = PuppetStrings(), VirtualPuppet((0,) if plays else ()), Access()
    token = access.keyring.invite(Role.PUPPETEER)
    desk = PhotoDesk(PhotoReader(profile))
    photos = PhotoPage(desk, showcase, showcase.tie_break, showcase.ranking).routes()
    tail, archive = LogTail(), Archive(demo_folder())
    authority = None if https_port == 0 else usable_authority()
    panel, pins, drafts = Panel(showcase.post), find_pins(PINS), Drafts()
    panel.seat(range(len(pins.seats)))
    outfit = ShowOutfit(showcase, settings, language, archive.shelf, panel, len(pins.seats), EmptyMats(art, "normal", seed))
    health = open_health(
        showcase, tail, asdict(settings), recorded=record, gauges=showcase.gauges, profile=profile, demo=True,
        rig=lambda: Rig(settings.period, settings.tray),
    )  # fmt: skip
    pages = [
        bench_pages({"teach": lesson, "check": check}), health, photos, puppet_pages(showcase, puppet),
        string_pages(showcase, strings, lambda: puppet.playing), history_pages(archive, Exchange(demo_folder())),
        Setup(showcase, outfit, access, drafts).routes(), install_pages(authority),
    ]  # fmt: skip
    app = create_app(
        showcase, pages, buttons=True, access=access, next_game=showcase.ask_next, noted=showcase.noted, language=language
    )

    def arrange(choices: Choices) -> None:
        """Everything that is not the game's follows what was chosen for it."""
        panel.seat(choices.places)
        access.preset = Preset(choices.preset)
        access.keyring.seated(choices.names)
        speak_usually(app, choices.language)

    panel.connect(PinBoard(pins, desk_factories(), panel.press, showcase.now))
    with (
        until_stopped() as stop,
        tail.listening(),
        closing(showcase),
        closing(desk),
        closing(lesson),
        closing(check),
        closing(panel),
        served_both(app, HOST, port, authority, https_port) as ports,
    ):
        for address in all_addresses(HOST, ports):
            click.echo(f"The table is at {address}")
        host = urlsplit(addresses(HOST, ports.plain)[0]).netloc
        lead = "Play here" if plays else "Move cards yourself"
        click.echo(f"{lead} (opens once, within ten minutes): {link_to(host, token)}")
        click.echo("Stop with Ctrl-C.")
        sys.stdout.flush()
        Show(settings, showcase, stop, panel, speed, pause, strings, puppet, arrange, drafts.busy).run()
