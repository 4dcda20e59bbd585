"""The workbench of the virtual table: a lesson and a check that somebody there goes through, on mats of their own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from companion.announcements import ENGLISH, Translator
from companion.errors import TaskError
from companion.web.bench import Remark, TaskView
from companion.words.bench import broken_words
from companion.words.check import step_words, verdict_words
from firmware.checking import Finding, Grade, judge
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
from vision.lesson import Answer, Lesson, Told
from vision.synthetic.art import DeckArt
from vision.synthetic.scene import Difficulty


def _silence(say: Translator) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a task stands, before it is put into the words of a language."""

    total: int
    running: bool = False
    words: Callable[[Translator], str] = _silence
    done: int = 0
    asks: bool = False
    passed: bool | None = None
    remarks: tuple[Callable[[Translator], Remark], ...] = ()


class BenchTask(ABC):
    """A task on a thread of its own, one at a time.  Whoever owns it calls `close` at the end."""

    def __init__(self, total: int) -> None:
        self._lock = threading.Lock()
        self._standing = _Standing(total)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def view(self, say: Translator = ENGLISH, /) -> TaskView:
        with self._lock:
            now = self._standing
        remarks = tuple(remark(say) for remark in now.remarks)
        return TaskView(now.running, now.words(say), now.done, now.total, now.asks, now.passed, remarks)

    def start(self, name: str, /) -> None:
        """Begin anew; raise `TaskError` while it is running or for a name that is none."""
        self._check(name)
        with self._lock:
            if self._standing.running:
                raise TaskError("this is running already; stop it first", "task_runs")
            self._stop = threading.Event()
            self._standing = _Standing(self._standing.total, running=True)
            self._thread = threading.Thread(target=self._guarded, args=(name, self._stop), name="workbench")
            self._thread.start()

    def confirm(self) -> None:
        """The virtual person confirms by himself."""
        raise TaskError("at the virtual table nobody has to confirm", "task_confirms")

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
            self._tell(words=partial(broken_words, str(error)), passed=False)
        finally:
            self._tell(running=False, asks=False)

    def _tell(self, **changes: object) -> None:
        with self._lock:
            self._standing = replace(self._standing, **changes)  # type: ignore[arg-type]  # its own fields

    @abstractmethod
    def _check(self, name: str) -> None:
        """Raise `TaskError` for a name that cannot be used."""

    @abstractmethod
    def _work(self, name: str, stop: threading.Event) -> None:
        """Do the whole of it, telling how far it is, until it is done or `stop` is set."""


def _answer_remark(answer: Answer, say: Translator) -> Remark:
    return Remark("", answer_words(answer, say))


def _finding_remark(found: Finding, say: Translator) -> Remark:
    return Remark(found.where(say), found.problem(say), found.advice(say), found.grade.name.lower())


class VirtualLesson(BenchTask):
    """A deck of the virtual table is taught."""

    def __init__(self, art: Callable[[], DeckArt], difficulty: Difficulty, seed: int, *, both_ways: bool = True) -> None:
        super().__init__(104 if both_ways else 52)
        self._art, self._difficulty, self._seed, self._both_ways = art, difficulty, seed, both_ways

    def _check(self, name: str) -> None:
        try:
            checked_name(name)
        except ProfileError as error:
            raise TaskError(str(error), "deck_name", name) from error
        try:
            # Somebody will lay a hundred cards: better to know now that nothing could be kept.
            check_place(profiles_folder())
        except ProfileError as error:
            raise TaskError(str(error), "deck_place") from error

    def _work(self, name: str, stop: threading.Event) -> None:
        model = FeatureModel.load()
        teacher = Teacher(self._art(), self._difficulty, self._seed)
        lesson = Lesson(teacher.station.layout, 2, model, both_ways=self._both_ways)
        remarks: list[Callable[[Translator], Remark]] = []
        for event in teacher.teach(lesson):
            if stop.is_set():
                self._tell(words=_silence)
                return
            if event.answer.told in NOTICED:
                remarks.append(partial(_answer_remark, event.answer))
            self._tell(words=partial(answer_words, event.answer), done=lesson.progress[0], remarks=tuple(remarks[-8:]))
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
                self._tell(words=_silence)
                return
            checkups[seat].look(frame)
            seen_empty = all(each.facts is not None for each in checkups)
            self._tell(words=partial(step_words, "cards" if seen_empty else "empty"), done=counted())
        found = judge(checkups, range(self._seats), classifier)
        remarks = tuple(partial(_finding_remark, one) for one in found)
        weak = sum(one.grade is Grade.WEAK for one in found)
        verdict = partial(verdict_words, passed(found), weak)
        self._tell(words=verdict, passed=passed(found), remarks=remarks, done=counted())
