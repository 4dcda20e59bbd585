"""Words of the club's page."""

from __future__ import annotations

from companion.words.translator import ENGLISH, Translator, mark

_LABELS = {
    "title": mark("The club's tables"),
    "no_tables": mark("No table has been heard of yet. Every table with the same broker appears here by itself."),
    "away": mark("not there"),
    "at_turn": mark("Turn %(number)d, %(who)s is up"),
    "turn": mark("Turn %(number)d"),
    "setup": mark("Cards are being dealt"),
    "over": mark("The game is over"),
    "stopped": mark("Play is stopped: somebody wants something settled."),
    "violation": mark("A rule was broken."),
    "question": mark("The table has a question."),
    "proposal": mark("Something is proposed and waits for answers."),
    "ring": mark("Ring and buzz here when a table needs somebody"),
    "needs": mark("Table %(table)s, turn %(number)d: %(what)s"),
    "round": mark("Round %(number)d"),
    "left": mark("%(minutes)d min left"),
    "time_up": mark("Time is up."),
    "minutes": mark("Minutes"),
    "next_round": mark("Begin the next round"),
    "roster": mark("Players"),
    "results": mark("Results"),
    "no_results": mark("No game has ended yet."),
    "won": mark("%(who)s won at table %(table)s"),
    "as_csv": mark("All results as a table (CSV)"),
    "as_json": mark("Everything as JSON"),
    "rules": mark("House rules for every table"),
    "rules_lead": mark("They hold from the next game of each table on."),
    "push": mark("Send to all tables"),
    "sent": mark("Sent."),
    "mixed": mark("mats and taps"),
    "mats": mark("mats"),
    "taps": mark("taps"),
}


def club_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)
