"""From the frames of one camera to observations: the last place that knows pixels."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card, Mark
from companion.crops import Crop
from companion.observation import EvidenceRef, Observation, Sighting, TroubleKind
from companion.table import Place
from vision.belief import Posterior, TableBelief, Thresholds, claim, likeliest
from vision.calibrate import Registration
from vision.calibration.lens import MeasuredLens
from vision.classifier import Classifier
from vision.errors import LayoutError
from vision.frame import Frame, Light
from vision.health import FROZEN_S, Health
from vision.lamplight import RoomLook
from vision.layout import Layout
from vision.reader import EMPTY_SURE, WindowReader, WindowView
from vision.registrar import Registrar


class Observer:
    """Watches one board through one camera; frames have to come in their order.

    `places` names what lies over the layout's windows, in their order.  `table` is shared by all observers of a table,
    which may run in threads of their own as far as the classifier allows it.  Without `thresholds` the usual ones
    hold.  The markers are looked for every `recheck_s` seconds; equal pictures for longer than `frozen_s` are a fault.
    `lens` is what `viewmat calibrate` has measured of the camera's.
    """

    def __init__(
        self,
        layout: Layout,
        places: Sequence[Place],
        classifier: Classifier,
        table: TableBelief | None = None,
        *,
        thresholds: Thresholds | None = None,
        recheck_s: float = 5.0,
        frozen_s: float = FROZEN_S,
        lens: MeasuredLens | None = None,
    ) -> None:
        if len(places) != len(layout.windows):
            raise LayoutError(f"{layout.name} has {len(layout.windows)} windows, but {len(places)} places were named for them")
        self.layout = layout
        self.places = tuple(places)
        self.trouble: str | None = None
        """What keeps this camera from seeing anything, in words that name no card; None while it sees."""
        self.trouble_kind: TroubleKind | None = None
        """The same in a word.  MOVED comes without `trouble`: the board was found again, but cards may have slid."""
        self.trouble_since = 0.0
        """When this camera was last known to see, seconds of its frames."""
        self._table = table if table is not None else TableBelief()
        self._thresholds = thresholds if thresholds is not None else Thresholds()
        self._registrar = Registrar(layout, recheck_s, lens)
        self._health, self._room_health = Health(frozen_s), Health(frozen_s)
        self._reader = WindowReader(layout, classifier)

    @property
    def registration(self) -> Registration | None:
        """Where the board lies in the picture; None while it cannot be located."""
        return self._registrar.registration

    @property
    def room(self) -> RoomLook | None:
        """What the room's light has shown since the last pulse of the board's lamp; None for nothing."""
        return self._reader.room

    @property
    def bare(self) -> bool | None:
        """The last pulse found nothing over the board; None where none has found the board at all."""
        return None if self._reader.lit is None else not self._reader.lit

    @property
    def other_board(self) -> int | None:
        """The number of the board that shows instead of this one; None where none does."""
        return self._registrar.other_board

    @property
    def moved_mm(self) -> float | None:
        """How far the board was found aside at the last check of its markers; None for less than a millimetre."""
        return self._registrar.moved_mm

    def observe(self, frame: Frame) -> Observation:
        """What this frame adds to what is known.  Nothing is `covered` while there is `trouble`."""
        if frame.light is Light.ROOM:
            return self._watch_room(frame)
        self.trouble = self._health.trouble(frame)
        registration = None if self.trouble else self._registrar.update(frame.image, frame.time)
        self.trouble_kind = self._health.kind or self._registrar.kind
        if self.trouble_kind is None:
            self.trouble_since = frame.time
        elif self.trouble_kind is TroubleKind.FROZEN:
            self.trouble_since = self._health.same_since
        if registration is None:
            self.trouble = self.trouble or self._registrar.trouble
            self._reader.skip(frame.time)
            self._table.weigh(dict.fromkeys(self.places), frame.time)
            return Observation(frame.time, (), ())
        return self._told(frame.time, self._reader.read(frame, registration))

    def _watch_room(self, frame: Frame) -> Observation:
        """A frame in the room's light tells only whether all is as it was, and nothing of dark or hidden markers."""
        still = self._room_health.trouble(frame)
        if self._room_health.kind is TroubleKind.FROZEN:
            self.trouble, self.trouble_kind, self.trouble_since = still, TroubleKind.FROZEN, self._room_health.same_since
        elif self.trouble_kind is TroubleKind.FROZEN:
            self.trouble = self.trouble_kind = None
        if self.trouble_kind is None:
            self.trouble_since = frame.time
        views = None if self.trouble is not None else self._reader.watch(frame)
        if views is None:
            return Observation(frame.time, (), ())
        return self._told(frame.time, views)

    def _told(self, time: float, views: Sequence[WindowView]) -> Observation:
        alone = {place: view.posterior for place, view in zip(self.places, views, strict=True)}
        weighed = self._table.weigh(alone, time)
        pairs = zip(self.places, views, strict=True)
        sightings = tuple(self._sight(place, view, weighed.get(place)) for place, view in pairs)
        return Observation(time, self.places, sightings)

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        """The pictures that a sighting of this camera was made from; None where they are forgotten."""
        return self._reader.crop(ref)

    def _sight(self, place: Place, view: WindowView, posterior: Posterior | None) -> Sighting:
        if posterior is None:
            return Sighting(place, Mark.EMPTY, EMPTY_SURE) if view.restless_empty else Sighting(place, Mark.COVERED, 1.0)
        seen, confidence = claim(posterior, self._thresholds)
        # By this window alone: what is likely here in view of other places would tell of hidden cards.
        alone = view.posterior if isinstance(seen, Card) or seen is Mark.UNREADABLE else None
        likely = () if alone is None else likeliest(alone, least=0.0)
        return Sighting(place, seen, confidence, view.evidence, likely)
