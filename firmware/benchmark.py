"""How long reading takes on this machine, with pictures that are drawn here."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

import cv2
import numpy as np

from companion.cards import DECK, Card
from companion.table import SLOTS, slot
from vision.belief import TableBelief
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.layout import WINDOW_PX, mat_layout
from vision.model_size import measure
from vision.observe import Observer
from vision.onnx_classifier import OnnxClassifier
from vision.photo import read_photo
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, DeckArt, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import Scene, empty_scene, slop

MATS = 5
WARM_UP = 5
BREATH_S = 0.002
"""Between two runs, so that a busy machine is less likely to take the processor away in the middle of one."""
VARIANTS = 4
"""Pictures of one still scene, each with its own noise, that take turns."""
FRAMES_PER_SECOND = 10
PHOTO_PX = (4000, 3000)
FELT = (70, 110, 40)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Draws what is needed once and measures; every time is a median in milliseconds."""

    classifier: OnnxClassifier
    art: DeckArt
    repeats: int
    seed: int

    def figures(self) -> dict[str, Any]:
        """The fields of ``viewmat bench --json``.  A part that fails is None and said on standard error."""
        mats = [_Mat(number, self.classifier, self.art, self.seed) for number in range(MATS)]
        patches = np.random.default_rng(self.seed).integers(0, 255, (MATS, WINDOW_PX[1], WINDOW_PX[0], 3), np.uint8)
        session = self.classifier.session
        feed = {session.get_inputs()[0].name: patches}
        packed = mats[0].jpeg()
        measured: dict[str, Callable[[], object]] = {
            "onnx_only_5_ms": lambda: session.run(None, feed),
            "classify_5_ms": lambda: self.classifier.classify(patches),
            "jpeg_decode_ms": lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR),
        }
        found: dict[str, Any] = {"model": model_figures()}
        found |= {name: self._median_ms(work) for name, work in measured.items()}
        found["mat_frame_changed_ms"] = self._changed_ms(mats[:1])
        found["five_mats_ms"] = self._changed_ms(mats)
        for mat in mats:
            mat.settle()
        found["mat_frame_quiet_ms"] = self._median_ms(lambda: mats[0].quiet())
        found["idle_cpu_fraction_five_mats"] = round(_idle_share(mats, self.repeats), 4)
        found["photo_ms"] = self._photo_ms()
        return found

    def _changed_ms(self, mats: list[_Mat]) -> float:
        def exchange() -> None:
            for mat in mats:
                mat.exchange()

        def read() -> None:
            for mat in mats:
                mat.changed()

        return self._median_ms(read, exchange)

    def _median_ms(self, work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
        taken = []
        for _ in range(WARM_UP + self.repeats):
            prepare()
            time.sleep(BREATH_S)
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
        return round(statistics.median(taken[WARM_UP:]) * 1000, 3)

    def _photo_ms(self) -> float | None:
        cards = tuple(DECK[i] for i in np.random.default_rng(self.seed).choice(len(DECK), 5, replace=False))
        picture = cv2.imencode(".jpg", draw_photo(self.art, cards, self.seed), (cv2.IMWRITE_JPEG_QUALITY, 92))[1].tobytes()
        try:
            return self._median_ms(lambda: read_photo(picture, self.classifier))
        except VisionError as error:
            print(f"photo_ms: {error}", file=sys.stderr)
            return None


class _Mat:
    """One mat with two sets of cards that can change places, and the observer that watches it."""

    def __init__(self, number: int, classifier: OnnxClassifier, art: DeckArt, seed: int) -> None:
        self._layout = mat_layout(number)
        rng = np.random.default_rng((seed, number))
        self._camera = BoardCamera(self._layout, art, seed + number, condition("normal", rng))
        chosen = rng.choice(len(DECK), 10, replace=False)
        hands = (tuple(DECK[i] for i in chosen[:5]), tuple(DECK[i] for i in chosen[5:]))
        self._scenes = tuple(self._scene(hand, rng) for hand in hands)
        self._pictures = tuple(
            tuple(self._camera.render(scene, variant * 0.1) for variant in range(VARIANTS)) for scene in self._scenes
        )
        self._observer = Observer(self._layout, [slot(number, k) for k in SLOTS], classifier, TableBelief())
        self._lying = 0
        self._next = Frame(self._layout.name, 0.0, 0, self._pictures[0][0])

    def _scene(self, hand: tuple[Card, ...], rng: np.random.Generator) -> Scene:
        scene = empty_scene(self._layout)
        for window, card in enumerate(hand):
            scene = scene.with_stack(window, (slop("normal", rng).lay(card),))
        return scene

    def jpeg(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return np.frombuffer(self._camera.jpeg(self._scenes[0], 0.0), np.uint8)

    def _show(self, image: Image, wait: float) -> None:
        self._next = replace(self._next, time=self._next.time + wait, number=self._next.number + 1, image=image)
        self._observer.observe(self._next)

    def exchange(self) -> None:
        """Let five other cards lie on the mat: what is left is the frame that shows them at rest."""
        self._lying = 1 - self._lying
        self._show(self._pictures[self._lying][0], 1 / FRAMES_PER_SECOND)

    def changed(self) -> None:
        """The first frame after an exchange in which nothing moves: all five windows are read."""
        self.quiet()

    def quiet(self) -> None:
        """One more frame of a still mat."""
        pictures = self._pictures[self._lying]
        self._show(pictures[self._next.number % VARIANTS], 1 / FRAMES_PER_SECOND)

    def settle(self) -> None:
        """Let the mat lie still until nothing is left to be read."""
        for _ in range(20):
            self.quiet()


def _idle_share(mats: list[_Mat], repeats: int) -> float:
    """Processor time over table time, checks of the markers included: a whole number of minutes' tenths."""
    seconds = max(10, repeats // FRAMES_PER_SECOND)
    start = time.process_time()
    for _ in range(seconds * FRAMES_PER_SECOND):
        for mat in mats:
            mat.quiet()
    return (time.process_time() - start) / seconds


def model_figures() -> dict[str, Any]:
    """Size of the packaged model, found by running it."""
    size = measure(resources.files("models").joinpath("cards.onnx").read_bytes())
    return {
        "parameters": size.parameters,
        "mmac_per_window": round(size.multiply_adds / 1e6, 3),
        "megabytes": round(size.megabytes, 3),
    }


def draw_photo(art: DeckArt, cards: tuple[Card, ...], seed: int) -> Image:
    """A photograph of 12 megapixels: cards on felt, each a little askew."""
    rng = np.random.default_rng(seed)
    width, height = PHOTO_PX
    coarse = rng.normal(0, 7, (height // 4, width // 4)).astype(np.float32)
    grain = cv2.resize(coarse, PHOTO_PX, interpolation=cv2.INTER_LINEAR)
    photo = np.clip(np.asarray(FELT, np.float32) + grain[..., None], 0, 255).astype(np.uint8)
    for number, card in enumerate(cards):
        face = art.face(card)
        centre = np.array([width * (number + 0.7) / (len(cards) + 0.4), height * rng.uniform(0.4, 0.6)])
        turn = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), float(rng.uniform(-15, 15)), 1.25)
        turn[:, 2] += centre - (face.shape[1] / 2, face.shape[0] / 2)
        mask = cv2.warpAffine(art.outline(), turn, PHOTO_PX, flags=cv2.INTER_AREA)
        picture = cv2.warpAffine(face, turn, PHOTO_PX, flags=cv2.INTER_LINEAR)
        photo[mask > 127] = picture[mask > 127]
    return np.asarray(cv2.GaussianBlur(photo, (3, 3), 0), np.uint8)


def open_benchmark(repeats: int, seed: int) -> Benchmark:
    """A benchmark of the packaged model; `ModelError` when there is none."""
    cv2.setNumThreads(1)
    return Benchmark(OnnxClassifier.load(), draw_deck(STYLES[0]), repeats, seed)
