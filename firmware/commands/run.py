"""``viewmat run``: a real table, as ``table.toml`` describes it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import click
from click.core import ParameterSource

from companion.errors import JournalError, OptionError, SealError
from companion.games import find_game
from companion.inbox import Receipt
from companion.keyring import KeyringError
from companion.picturefile import delete_old
from companion.sitting import RowSight, Sitting
from companion.views import View
from companion.web.app import create_app
from companion.web.catalogues import translator
from companion.web.gate import Preset
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.languages import speak_usually
from companion.web.photo import PhotoPage
from companion.web.setup import Setup
from firmware.access import lacks_referee, open_access
from firmware.alive import Alive
from firmware.archive import Archive
from firmware.board import Board, LitBoard, NoBoard, open_board
from firmware.bus.desk import Desk
from firmware.bus.opening import camera_rig, open_hub
from firmware.clubrules import with_house_rules
from firmware.datafolder import data_folder, games_folder
from firmware.errors import RigError, SettingsError
from firmware.espeak import Espeak, Silence, Voice
from firmware.evening import Evening
from firmware.exchange import Exchange
from firmware.eyes import Dealt, Eyes, looking
from firmware.gpio import pi_factories
from firmware.healthpage import open_health
from firmware.keeping import evidence_of, going_on_with, open_record, table_header
from firmware.logtail import LogTail
from firmware.machine import switch_off
from firmware.mending import mend
from firmware.outfit import TableOutfit, choices_of, unset_settings
from firmware.panel import Panel
from firmware.photodesk import PhotoDesk
from firmware.photoreader import PhotoReader
from firmware.securepage import all_addresses, served_both, usable_authority
from firmware.serving import Beat, keep_table, until_stopped
from firmware.settings import Settings, checked_settings, settings_text
from firmware.table import Cameras
from firmware.tablecheck import check_rig, check_table

LOG = logging.getLogger(__name__)


@click.command()
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the dashboard, instead of the file's; 0 takes a free one.")
@click.option("--fresh", is_flag=True, help="Begin a new game, whatever was played before.")
@click.option(
    "--safe-mode/--no-safe-mode", default=True,
    help="Whether a settings file that is not right starts a page that mends it, or is an error.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, config: Path, port: int | None, fresh: bool, safe_mode: bool) -> None:
    """Play at a real table, as the settings file describes it.

    Without --config and without a table.toml the page asks how the table is to be set up, and writes that file.
    The game that was played when the program ended goes on.  One that is over stays until somebody begins the next.

    With a settings file that is not right there is only a page that says why, and where it can be mended; then the table starts.
    """
    first = ctx.get_parameter_source("config") is ParameterSource.DEFAULT and not config.exists()
    while True:
        try:
            settings = unset_settings() if first else _read(config)
            break
        except SettingsError as error:
            if not safe_mode or not config.is_file():
                raise
            if not mend(config, port, str(error)):
                return
    play(config, settings, first, port, fresh)


def _read(config: Path) -> Settings:
    """The settings that a table can be played with; raise `SettingsError`."""
    text = settings_text(config)
    check_table(text, config)
    return checked_settings(text, config)


def play(config: Path, settings: Settings, first: bool, port: int | None, fresh: bool) -> None:
    """Play with these settings until the program is stopped.  `first`: nobody has set up the table."""
    delete_old(games_folder(), settings.evidence_days, datetime.now(UTC))
    nodes = Desk()
    eyes = Eyes(settings, camera_rig(settings, nodes)) if settings.rig == "cameras" else None
    games = Games(settings, fresh, unset=first, eyes=eyes, house=nodes.house_rules)
    begun, tail = False, LogTail()
    try:
        access = open_access(settings)
        panel = Panel(games.evening.post)
        panel.seat(choices_of(settings).places)
        board = open_lamps(settings, panel, games.evening)
        served = settings.bus is not None and bool(settings.bus.nodes)
        pins = settings.gpio.pins != "none" and not isinstance(board, NoBoard)
        if settings.bus is not None:
            hub = open_hub(settings.bus, settings.broker)
            nodes.connect(hub, board, panel.press, dict if eyes is None else eyes.found)
            board = nodes
        panel.connect(board)
        with (
            until_stopped() as stop,
            tail.listening(),
            closing(panel),
            looking(eyes, board),
            closing(PhotoDesk(PhotoReader())) as desk,
            closing(Speaker(settings)) as voice,
            closing(Alive()) as alive,
        ):
            # Without buttons at the seats the page has them, whatever the file wished for.
            evening, archive = games.evening, Archive(data_folder())
            photos = PhotoPage(desk, evening, evening.tie_break, evening.ranking).routes()
            off = switch_off if settings.page.shutdown else None
            recorded = settings.record or first
            health = open_health(
                evening, tail, ToldSettings(games), recorded=recorded, switch_off=off,
                gauges=None if eyes is None else eyes.gauges,
                rig=lambda: None if eyes is None else eyes.rig(games.settings.tray),
            )  # fmt: skip
            outfit = TableOutfit(
                config, lambda: games.settings, archive.shelf, panel, seat_pins(settings) if pins else 6 if served else 0,
                games.order, lambda: games.unset, lambda fresh: check_rig(fresh, config), eyes,
                None if settings.bus is None else nodes,
            )  # fmt: skip
            setup = Setup(evening, outfit, access).routes()
            authority = usable_authority() if settings.page.https_port else None
            history = history_pages(archive, Exchange(data_folder(), config))
            pages = [health, photos, history, setup, install_pages(authority)]
            app = create_app(
                evening, pages, buttons=not (pins or served), access=access, next_game=evening.ask_next,
                noted=evening.noted, language=settings.language, lamps=pins or served,
            )  # fmt: skip

            def arrange(fresh: Settings) -> None:
                """Everything that is not the game's follows the settings of the next one."""
                panel.seat(choices_of(fresh).places)
                access.preset = Preset(fresh.access.preset)
                speak_usually(app, fresh.language)
                voice.follow(fresh)
                # Where the keys cannot be kept now, the phones of those who left are signed off at the next start.
                with suppress(KeyringError):
                    access.keyring.seated([seat.name for seat in fresh.seat])

            if access.preset is Preset.CLUB and lacks_referee(access):
                click.echo("No referee has been named: `viewmat referee pair` or `viewmat referee pin` does it.")
            with served_both(
                app, settings.page.host, settings.page.port if port is None else port, authority,
                None if port == 0 else settings.page.https_port, settings.page.names,
            ) as ports:  # fmt: skip
                begun = True
                _welcome(games, all_addresses(settings.page.host, ports))
                alive.ready()
                games.play(panel, stop, nodes.announced(voice), arrange, alive)
                alive.stopping()
    finally:
        games.close(begun)


class Speaker:
    """The voice of the table, which may be given another language between two games."""

    def __init__(self, settings: Settings) -> None:
        """Raise `RigError` where the speaker that the settings name cannot speak."""
        self._settings, self._voice = settings, open_voice(settings)

    def show(self, view: View) -> None:
        self._voice.show(view)

    def follow(self, settings: Settings) -> None:
        """Speak as these settings want it; one that cannot be started anew goes on as it is."""
        if (settings.language, settings.voice) == (self._settings.language, self._settings.voice):
            return
        try:
            fresh = open_voice(settings)
        except RigError as error:
            LOG.warning("the voice stays as it is: %s", error)
            return
        self._voice.close()
        self._settings, self._voice = settings, fresh

    def close(self) -> None:
        """Fall silent."""
        self._voice.close()


class ToldSettings(Mapping[str, Any]):
    """The settings of the game that is played now, for the file for support."""

    def __init__(self, games: Games) -> None:
        self._games = games

    def __getitem__(self, key: str) -> Any:
        return self._games.settings.model_dump()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games.settings.model_dump())

    def __len__(self) -> int:
        return len(self._games.settings.model_dump())


class Games:
    """The games of this table, each with its record."""

    def __init__(
        self, settings: Settings, fresh: bool, unset: bool = False, eyes: Eyes | None = None,
        house: Callable[[str], Mapping[str, Any]] = lambda game: {},
    ) -> None:  # fmt: skip
        """Open the first one; raise an error of our trees where its record cannot be had.

        `unset`: nobody has set up the table, so there is no game before somebody does.  `eyes`: the table has cameras.
        `house` says which house rules the club has for a game; they hold from the next game on.
        """
        self._eyes, self._house = eyes, house
        self.settings = settings
        self.unset = unset
        self._ordered: Settings | None = None
        self._game = find_game(settings.game)
        header = table_header(self._game, settings.seats(), settings.options, settings.tray)
        self.kept = open_record(header, fresh, _told(settings)) if settings.record else None
        self._header: Mapping[str, Any] = header if self.kept is None else self.kept.header
        try:
            self.evening = Evening(self._open())
        except BaseException:
            self.close(begun=False)
            raise

    def order(self, settings: Settings) -> Receipt:
        """Have a game begun with other settings, whatever is being played; callable from any thread."""
        self._ordered = settings
        return self.evening.ask_next()

    def _open(self) -> Sitting:
        """The sitting of a record; one that goes on may have been written by anybody."""
        if self.kept is None or not self.kept.resumed:
            return self._sitting()
        with going_on_with(self.kept.path):
            return self._sitting()

    def _sitting(self) -> Sitting:
        settings, kept = self.settings, self.kept
        if self._eyes is not None:
            clock = monotonic if kept is None else kept.clock
            return self._eyes.open(settings, Dealt(self._game, self._header["options"], kept, clock)).sitting
        return Sitting(
            self._game, settings.seats(), self._header["options"], RowSight(settings.tray), settings.timings(),
            settings.steady(), clock=monotonic if kept is None else kept.clock, phone_peek=settings.access.phone_peek,
            decides="referee" if settings.access.preset == "club" else "table",
            chronicle=None if kept is None else kept.chronicle,
            evidence=None if kept is None else evidence_of(kept)(Cameras({})),
        )  # fmt: skip

    def play(
        self, board: Board, stop: Event, voice: Voice, arrange: Callable[[Settings], None] = lambda settings: None,
        alive: Beat | None = None,
    ) -> None:  # fmt: skip
        """Keep the table until `stop` is set, game after game.  `arrange` is told of other settings when their game begins."""
        while not stop.is_set():
            look = None if self._eyes is None else self._eyes.look
            keep_table(self.evening.sitting, board, stop, lambda: self.evening.next_asked, voice, look, alive)
            if self.evening.next_asked:
                self._begin_next(arrange)

    def _begin_next(self, arrange: Callable[[Settings], None] = lambda settings: None) -> None:
        ordered, self._ordered = self._ordered, None
        over = self.evening.sitting
        # What was tapped before belongs to the game that is over, and may have opened it again.
        over.work()
        refusal = self._refusal(over) if ordered is None else ""
        if refusal:
            self.evening.answer_next(refusal)
            return
        before = self.kept, self._header, self.settings, self._game
        try:
            self._follow(over, ordered)
            self.kept = open_record(self._header, True, _told(self.settings)) if self.settings.record else None
            self.evening.begin(self._open_new())
        except (JournalError, OptionError, SealError) as error:
            # The game that is over stays where it is.
            self.kept, self._header, self.settings, self._game = before
            LOG.warning("the next game cannot begin: %s", error)
            self.evening.answer_next("no_next")
            return
        over.work()
        if before[0] is not None:
            before[0].chronicle.close()
        if ordered is not None:
            self.unset = False
            arrange(ordered)
        self.evening.answer_next()

    def _refusal(self, over: Sitting) -> str:
        """Why the game that is over does not make room for the next one; empty where it does."""
        view = over.view()
        if view.stopped:
            return "first_go_on"
        return "not_over" if view.phase != "over" else "proposal_first" if view.proposal is not None else ""

    def _follow(self, over: Sitting, ordered: Settings | None) -> None:
        """The table of the next game: other settings, or the same with the first seat moved on by one."""
        if ordered is None:
            following = asdict(self._game.next_options(over.agreement.state))
            self._header = {**self._header, "options": with_house_rules(self._game, following, self._house(self._game.name))}
            return
        self.settings, self._game = ordered, find_game(ordered.game)
        self._header = table_header(self._game, ordered.seats(), ordered.options, ordered.tray)

    def _open_new(self) -> Sitting:
        """The sitting of a record that was just begun; without it the record goes again."""
        try:
            return self._open()
        except BaseException:
            if self.kept is not None:
                self.kept.forget()
            raise

    def close(self, begun: bool) -> None:
        """End the record; one of a game that could not even begin leaves nothing behind."""
        if self.kept is None:
            return
        if begun:
            self.kept.chronicle.close()
        else:
            self.kept.forget()


def _told(settings: Settings) -> dict[str, Any]:
    """What else the table was told that bears on rulings."""
    return {
        "timing": asdict(settings.timings()), "steadiness": asdict(settings.steady()), "access": settings.access.model_dump(),
        "rig": settings.rig, "pins": settings.gpio.pins,
    }  # fmt: skip


def _welcome(games: Games, at: Iterable[str]) -> None:
    kept = games.kept
    if games.unset:
        click.echo("Nobody has set up this table yet: its page asks for everything that it needs.")
    if kept is not None:
        click.echo(f"Game {kept.game} {'goes on; --fresh begins a new one.' if kept.resumed else 'begins.'}")
        if kept.left:
            click.echo(f"Game {kept.before} was begun last and stays in the records as it is; this is another game.")
    for address in at:
        click.echo(f"The table is at {address}")
    click.echo("Stop with Ctrl-C. When a game is over, the page begins the next one.")
    sys.stdout.flush()


def open_lamps(settings: Settings, panel: Panel, evening: Evening) -> LitBoard:
    """The board that the settings name, or none.  Its presses go to `panel`."""
    gpio = settings.gpio
    pins = gpio.pin_map()
    if pins is None:
        return NoBoard()
    made = pi_factories(gpio.chip)
    return open_board(pins, made, panel.press, evening.now, brightness=gpio.brightness / 100, pixel_bits=gpio.pixel_bits)


def seat_pins(settings: Settings) -> int:
    """So many places have a lamp and a button."""
    pins = settings.gpio.pin_map()
    return 0 if pins is None else len(pins.seats)


def open_voice(settings: Settings) -> Voice:
    """The speaker that the settings name, or none; raise `RigError` where it cannot speak."""
    wanted = settings.voice
    if wanted.speaker == "none":
        return Silence()
    return Espeak(settings.language, wanted.volume, wanted.says, translator(settings.language))
