"""Words of the setup wizard: its steps, what can be chosen in them, and why something cannot be."""

from __future__ import annotations

from companion.words.poker_book import SENTENCES
from companion.words.translator import ENGLISH, Translator, mark

_LABELS: dict[str, str] = {
    "setup": mark("Set up the table"),
    "change_table": mark("Change the table"),
    "next": mark("Next"),
    "back": mark("Back"),
    "to_ready": mark("To the last step"),
    "leave": mark("Leave everything as it is"),
    "step_of": mark("Step %(number)d of %(count)d"),
    "change": mark("Change"),
    "also": mark("Another screen is setting up the table, too. Whoever begins first decides; the other one is told."),
    # The titles of the steps.
    "language": mark("Which language?"),
    "game": mark("Which game?"),
    "preset": mark("How do you play?"),
    "seats": mark("Who plays?"),
    "sources": mark("Where do the cards come from?"),
    "places": mark("Who sits at which mat?"),
    "lamps": mark("Do all lamps work?"),
    "cameras": mark("What do the cameras see?"),
    "deck": mark("Which deck?"),
    "rules": mark("Your house rules"),
    "hard": mark("Hard mode?"),
    "ready": mark("All set?"),
    # How you play.
    "home": mark("At home"),
    "home_lead": mark("Everybody at the table decides together, with a tap. A move against the rules costs nothing."),
    "club": mark("In a club"),
    "club_lead": mark("A referee decides, with a phone or a PIN. A move against the rules costs the turn."),
    "club_plain": mark("A referee decides, with a phone or a PIN."),
    "preset_lead": mark("One tap fills everything in. You can still change whatever you like."),
    "by_steps": mark("Step by step"),
    # Who plays.
    "seats_lead": mark("In the order in which you sit, clockwise. The first one begins."),
    "seats_in_play": mark("This is for the next game. The one that is being played goes on."),
    "new_name": mark("Another name"),
    "add": mark("Sit down"),
    "before": mark("They have played before"),
    "nobody": mark("Nobody sits here yet."),
    "up": mark("Move %(who)s up"),
    "down": mark("Move %(who)s down"),
    "remove": mark("%(who)s does not play"),
    "name_of": mark("Name of seat %(number)d"),
    # Where the cards come from.
    "mat": mark("Mat"),
    "mat_lead": mark("Cameras under the cards follow the game."),
    "tap": mark("Taps"),
    "tap_lead": mark("Moves are tapped on this screen or on a phone."),
    "bot": mark("Bot"),
    "bot_lead": mark("The companion plays; somebody moves its cards."),
    "nodes": mark("Mats on the network"),
    "nodes_lead": mark("Say at which place each of them lies. The number of a place stands on its mat."),
    "nodes_none": mark("None has been found. A new one appears here as soon as it is switched on."),
    "node_place": mark("Place %(number)d"),
    "node_unused": mark("Not in use"),
    "node_gone": mark("it is switched off or out of reach"),
    "node_other": mark("it has another version than this table"),
    "no_mats": mark("This table has no cameras, so no seat has a mat."),
    # How open cards are read.
    "upcards": mark("How open cards are read"),
    "upcards_overhead": mark("Camera above"),
    "upcards_overhead_lead": mark(
        "A camera above the mats reads open cards by itself, also after a lift. It sees nothing while a hand or a head is over"
        " them, and what it sees of other cards is not used."
    ),
    "upcards_no_overhead": mark("No camera looks at the mats of this table from above."),
    "upcards_scan": mark("Shown to the mat"),
    "upcards_scan_lead": mark(
        "Hold the card face down over its slot, then turn it. The mat knows it until it is lifted; of a card that was not shown"
        " it sees only the back."
    ),
    "upcards_tap": mark("Tapped in"),
    "upcards_tap_lead": mark(
        "Somebody taps each open card and says which one it is. A mat sees when it is lifted, but not whether the right card was"
        " tapped."
    ),
    # Which mat is whose.
    "press": mark("%(who)s: press the button that blinks in front of you."),
    "press_here": mark("Press the button of place %(number)d"),
    "placed": mark("Every seat has its place."),
    "place_of": mark("%(who)s: place %(number)d"),
    "no_place_yet": mark("%(who)s: not yet"),
    "place_again": mark("Begin this step again"),
    "no_places": mark("This table has no lamps and no buttons, so there is nothing to find out or to try."),
    "lamps_busy": mark("Lamps and buttons belong to the game that is being played. This step can be done when it is over."),
    # The lamps.
    "lamp_lit": mark("Lamp %(number)d of %(count)d is lit."),
    "lamps_lead": mark("One after the other, each lamp lights up. Look whether it does."),
    "lamps_start": mark("Light them one after the other"),
    "lamps_next": mark("It is lit: on to the next"),
    "lamp_dark": mark("It stays dark"),
    "all_lit": mark("All of them were lit."),
    "some_dark": mark("Dark lamps: %(found)s. Look at their cables and at the pin map in the settings file, then try again."),
    "lamps_again": mark("Try again"),
    # The cameras.
    "cameras_lead": mark("Clear the mats: a picture is only shown while nothing lies there, and never during a game."),
    "camera_of": mark("The mat of %(who)s"),
    "no_picture": mark("No picture: something lies on this mat, or its camera does not see it."),
    "picture_of": mark("What the camera under the mat of %(who)s sees, with its windows drawn in"),
    "no_cameras": mark("No seat has a mat, so there is no camera to look through."),
    "cameras_busy": mark("A game is being played. Until its hands are shown, no picture of a mat is shown to anybody."),
    "sees_well": mark("This camera sees well."),
    # The deck.
    "deck_lead": mark("Most decks are read as they are. One that was taught is read more surely."),
    "any_deck": mark("Any deck"),
    "taught": mark("The taught deck %(name)s"),
    "no_deck_step": mark("Without a mat no camera reads cards, so any deck will do."),
    # House rules and hard mode.
    "rules_lead": mark("These six matter most. All others are in the settings file, and the rules page has them in words."),
    "rules_lead_demo": mark("These six matter most. All others are as usual, and the rules page has them in words."),
    "hard_off": mark("No"),
    "hard_off_lead": mark("You may look at your own cards at any time."),
    "hard_on": mark("Yes"),
    "hard_on_lead": mark("After the first move nobody looks at cards that lie in slots."),
    # The last step.
    "begin": mark("Begin"),
    "begin_lead": mark("The game begins with these seats. You deal, and %(who)s plays first."),
    "kept_in": mark("This is kept in the settings file %(file)s."),
    "not_kept_anywhere": mark("This holds until the program ends."),
    "referee_next": mark(
        "This screen becomes the referee's. Under “The referee” in the menu you can make a PIN for other screens."
    ),
    "in_play": mark("A game is being played. It goes on as long as you do not begin another one here."),
    "give_up": mark("Give that game up and begin"),
    "begin_anyway": mark("Begin with these all the same"),
    "sum_preset": mark("Who decides"),
    "sum_seats": mark("Players"),
    "sum_places": mark("Mats"),
    "sum_lamps": mark("Lamps and buttons"),
    "sum_game": mark("Game"),
    "sum_deck": mark("Deck"),
    "sum_rules": mark("House rules"),
    "sum_hard": mark("Hard mode"),
    "as_usual": mark("as usual"),
}

RULES: dict[str, str] = {
    "allow_pass": mark("Passing"),
    "steal_back_scope": mark("Stealing back"),
    "end_count": mark("The end"),
    "final_turns": mark("Final turns"),
    "tie_break": mark("Equal hands"),
    "penalty": mark("A move against the rules"),
    "limit": mark("How much may be bet"),
    "draws": mark("Draws"),
    "draw_four_with_ace": mark("Exchanging four cards"),
    "openers": mark("Opening"),
    "eval": mark("What wins"),
    "odd_chip": mark("Odd chips"),
    "open_pair": mark("An open pair"),
    "suit_ties": mark("Equal open cards"),
    "last_down": mark("The fifth card"),
    "burn": mark("Burned cards"),
}
"""The names of the house rules that are asked for."""

RULE_VALUES: dict[str, str] = {
    "allow_pass=False": mark("Nobody may pass."),
    "allow_pass=True": mark("Whoever likes may pass."),
    "steal_back_scope=card_from_thief": mark("For a while you may not steal a card back from the one who stole it from you."),
    "steal_back_scope=card_any_holder": mark("For a while you may not steal your card back, whoever holds it."),
    "steal_back_scope=player": mark("For a while you may steal nothing from a player who stole from you."),
    "steal_back_scope=card_frozen": mark("For a while nobody may steal a stolen card."),
    "end_count=in_row": mark("The end comes when five cards lie in the row."),
    "end_count=cumulative": mark("The end comes with the fifth discard, even if some were taken."),
    "final_turns=all_others": mark("Then everybody else has one more turn."),
    "final_turns=rest_of_round": mark("Then only those have a turn who were not up in this round."),
    "tie_break=suit_significant": mark("The suit of the card that matters most decides."),
    "tie_break=suit_highest_card": mark("The suit of the highest card decides."),
    "tie_break=share": mark("The win is shared."),
    "penalty=undo": mark("It is put back and costs nothing."),
    "penalty=lose_turn": mark("It is put back and costs the turn."),
    "limit=none": mark("As much as you have."),
    "limit=fixed": mark("Always the same: small bets first, big ones later."),
    "limit=pot": mark("As much as lies in the middle."),
    **{
        rule: SENTENCES[rule]
        for rule in (
            "draws=1", "draws=2", "draw_four_with_ace=off", "draw_four_with_ace=keep", "draw_four_with_ace=keep_and_show",
            "openers=False", "openers=True", "eval=high", "eval=27", "eval=a5", "eval=hilo", "eval=soko", "odd_chip=closest",
            "odd_chip=one_each", "open_pair=True", "open_pair=False", "suit_ties=False", "suit_ties=True", "last_down=False",
            "last_down=True", "burn=False", "burn=True",
        )
    },
}
"""One sentence for each value of each of those rules."""

REFUSALS: dict[str, str] = {
    "cameras_busy": _LABELS["cameras_busy"],
    "name_empty": mark("Enter a name."),
    "name_long": mark("A name has at most %(most)d letters; this one has %(found)d."),
    "name_twice": mark("%(who)s sits at the table already. Add something that tells the two apart."),
    "name_control": mark("This name holds a letter that cannot be seen. Type it again."),
    "no_chair": mark("This seat is gone: the list has changed meanwhile."),
    "no_source": mark("Cards cannot come from there at this table."),
    "no_spot": mark("There is no such place at this table."),
    "no_game": mark("This game is not played here."),
    "no_preset": mark("There is no such way to play."),
    "no_deck": mark("No deck was taught under the name %(found)s."),
    "deck_broken": mark("This deck cannot be read from its file. Choose another one, or teach it again."),
    "no_node": mark("No mat on the network is called %(found)s."),
    "nodes_busy": mark("A game is being played. Mats are given their places when it is over."),
    "no_rule": mark("This house rule does not take that value."),
    "no_language": mark("The table does not speak this language."),
    "too_few_seats": mark("It takes at least %(fewest)d players."),
    "too_many_seats": mark("There is room for %(most)d players."),
    "setup_gone": mark("This setup is over. Begin it again."),
    "setup_overtaken": mark(
        "Another screen has set up the table meanwhile. Look at it before you change it again; or begin with what you have here."
    ),
    "game_runs": mark("A game is being played. Give it up, or let it come to its end first."),
    "hands_open": mark("Hands are still being shown. The next game ends this one without its result."),
    "not_saved": mark(
        "The settings file cannot be written, so nothing was changed. Look whether there is room, and who may write it."
    ),
    "settings_changed": mark(
        "The settings file was changed by hand and is not right any more, so nothing was changed. "
        "`viewmat run` says what is wrong."
    ),
}


def setup_label(name: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """The text called `name`; raises `KeyError` for one that there is not."""
    return say(_LABELS[name], **values)


def rule_label(name: str, say: Translator = ENGLISH) -> str:
    """What a house rule is about."""
    return say(RULES[name])


def rule_words(name: str, value: object, say: Translator = ENGLISH) -> str:
    """One sentence for a value of a house rule."""
    return say(RULE_VALUES[f"{name}={value}"])


def setup_refusal_words(kind: str, say: Translator = ENGLISH, /, **values: str | int) -> str:
    """Why something cannot be chosen; raises `KeyError` for a kind that there is not."""
    return say(REFUSALS[kind], **values)
