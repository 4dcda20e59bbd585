"""Why a hand loses to the next better one, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.announcements import announce
from companion.views import RankView, View
from companion.words.reveal import loses_words, open_hand_words, reveal_label
from tests.companion import tables


def with_ranking(*ranks: RankView) -> View:
    return replace(tables.won(), ranking=ranks)


@pytest.mark.parametrize(
    ("rank", "words"),
    [
        (RankView(0, 1), ""),
        (RankView(1, 2, 0, "category"), "Loses to Anna's hand, two pair, kings and nines."),
        (RankView(3, 4, 2, "rank", "Q", "T"), "Loses to Cleo's hand, queen high: queen beats ten."),
        (
            RankView(1, 2, 0, "side", "A", "4"),
            "Loses to Anna's hand, two pair, kings and nines: the side card decides, ace beats four.",
        ),
        (
            RankView(1, 2, 0, "suit", "s", "h"),
            "Loses to Anna's hand, two pair, kings and nines: the ranks are the same, and spades beat hearts.",
        ),
        (RankView(1, 1, 0, "tie"), "Just as good as Anna's hand, two pair, kings and nines."),
    ],
)  # fmt: skip
def test_the_reason_is_told_against_the_next_better_hand(rank: RankView, words: str) -> None:
    assert loses_words(rank, with_ranking(rank)) == words


def test_a_hand_of_which_a_card_is_hidden_is_worth_nothing() -> None:
    view = tables.revealing((5, 4, 0, 0))
    assert open_hand_words(view, 0) == "two pair, kings and nines"
    assert open_hand_words(view, 1) == open_hand_words(view, 2) == ""


def test_every_open_hand_has_its_words_in_the_order_of_the_ranking() -> None:
    view = tables.won()
    words = announce(view)
    assert words.ranks == tuple(loses_words(rank, view) for rank in view.ranking)
    assert [bool(text) for text in words.ranks] == [False, True, True, True]
    assert reveal_label("place", number=2) == "place 2"
