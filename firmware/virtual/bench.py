"""The workbench of the virtual table: a lesson and a check that somebody there goes through, on mats of their own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from companion.errors import CompanionError
from companion.web.bench import Remark, TaskView
from companion.words.check import step_words, verdict_words
from firmware.checking import Grade, judge
from firmware.checkreport import passed
from firmware.profiles import profiles_folder
from firmware.teaching import NOTICED, answer_words
from firmware.virtual.dealer import Dealer
from firmware.virtual.teacher import Teacher
from vision.checkup import Checkup, cards_of
from vision.classifier import Classifier
from vision.deckprofile import check_place, checked_name, make_profile, save_profile
from vision.errors import ProfileError, VisionError
from vision.features import FeatureModel
from vision.lesson import Lesson, Told
from vision.synthetic.art import DeckArt
from vision.synthetic.scene import Difficulty


class BenchError(CompanionError, ValueError):
    """A task that cannot be done now, or not with this name."""


class BenchTask(ABC):
    """A task on a thread of its own, one at a time.  Whoever owns it calls `close` at the end."""

    def __init__(self, total: int) -> None:
        self._lock = threading.Lock()
        self._view = TaskView(total=total)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def view(self) -> TaskView:
        with self._lock:
            return self._view

    def start(self, name: str, /) -> None:
        """Begin anew; raise `BenchError` while it is running or for a name that is none."""
        self._check(name)
        with self._lock:
            if self._view.running:
                raise BenchError("this is running already; stop it first")
            self._stop = threading.Event()
            self._view = TaskView(running=True, total=self._view.total)
            self._thread = threading.Thread(target=self._guarded, args=(name, self._stop), name="workbench")
            self._thread.start()

    def confirm(self) -> None:
        """The virtual person confirms by himself."""
        raise BenchError("at the virtual table nobody has to confirm")

    def stop(self) -> None:
        """End it; what was done so far is lost."""
        self._stop.set()

    def close(self) -> None:
        """Stop and wait for the end."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _guarded(self, name: str, stop: threading.Event) -> None:
        try:
            self._work(name, stop)
        except (VisionError, OSError) as error:
            self._tell(words=str(error), passed=False)
        finally:
            self._tell(running=False, asks=False)

    def _tell(self, **changes: object) -> None:
        with self._lock:
            self._view = replace(self._view, **changes)  # type: ignore[arg-type]  # fields of the view

    @abstractmethod
    def _check(self, name: str) -> None:
        """Raise `BenchError` for a name that cannot be used."""

    @abstractmethod
    def _work(self, name: str, stop: threading.Event) -> None:
        """Do the whole of it, telling how far it is, until it is done or `stop` is set."""


class VirtualLesson(BenchTask):
    """A deck of the virtual table is taught."""

    def __init__(self, art: Callable[[], DeckArt], difficulty: Difficulty, seed: int, *, both_ways: bool = True) -> None:
        super().__init__(104 if both_ways else 52)
        self._art, self._difficulty, self._seed, self._both_ways = art, difficulty, seed, both_ways

    def _check(self, name: str) -> None:
        try:
            checked_name(name)
            # Somebody will lay a hundred cards: better to know now that nothing could be kept.
            check_place(profiles_folder())
        except ProfileError as error:
            raise BenchError(str(error)) from error

    def _work(self, name: str, stop: threading.Event) -> None:
        model = FeatureModel.load()
        teacher = Teacher(self._art(), self._difficulty, self._seed)
        lesson = Lesson(teacher.station.layout, 2, model, both_ways=self._both_ways)
        remarks: list[Remark] = []
        for event in teacher.teach(lesson):
            if stop.is_set():
                self._tell(words="")
                return
            if event.answer.told in NOTICED:
                remarks.append(Remark("", answer_words(event.answer)))
            self._tell(words=answer_words(event.answer), done=lesson.progress[0], remarks=tuple(remarks[-8:]))
        done = lesson.answer.told is Told.DONE
        if done:
            save_profile(make_profile(name, *lesson.windows(), date.today().isoformat(), model), profiles_folder())
        self._tell(passed=done)


class VirtualCheck(BenchTask):
    """The virtual table is checked."""

    def __init__(
        self, art: Callable[[], DeckArt], difficulty: Difficulty, seed: int, seats: int, classifier: Callable[[], Classifier]
    ) -> None:
        super().__init__(52)
        self._art, self._difficulty, self._seed, self._seats, self._classifier = art, difficulty, seed, seats, classifier

    def _check(self, name: str) -> None:
        """Any name will do: nothing is kept under it."""

    def _work(self, name: str, stop: threading.Event) -> None:
        classifier = self._classifier()
        dealer = Dealer(self._art(), self._difficulty, self._seed, self._seats)
        checkups = [Checkup(station.layout, station.places, classifier) for station in dealer.stations]

        def counted() -> int:
            return len(cards_of([one for each in checkups for one in each.shown]))

        for seat, frame in dealer.walk(lambda: dealer.unread(cards_of([one for each in checkups for one in each.shown]))):
            if stop.is_set():
                self._tell(words="")
                return
            checkups[seat].look(frame)
            seen_empty = all(each.facts is not None for each in checkups)
            self._tell(words=step_words("cards" if seen_empty else "empty"), done=counted())
        found = judge(checkups, range(self._seats), classifier)
        remarks = tuple(Remark(one.where, one.problem, one.advice, one.grade.name.lower()) for one in found)
        weak = sum(one.grade is Grade.WEAK for one in found)
        self._tell(words=verdict_words(passed(found), weak), passed=passed(found), remarks=remarks, done=counted())
