"""The rules of draw and stud in words: titles, and a sentence or two for each `Telling` of `companion.games.poker_book`."""

from __future__ import annotations

from companion.words.translator import mark

NAMES: dict[str, str] = {
    "draw": mark("Five-Card Draw"),
    "stud": mark("Five-Card Stud"),
    "casino-stud": mark("Casino Five-Card Stud"),
}

SECTIONS: dict[str, str] = {
    "before": mark("Before the betting"),
    "bets": mark("Betting"),
    "draw": mark("Exchanging cards"),
    "end": mark("The end of a hand"),
    "wrong": mark("When something goes wrong"),
}

_TITLES: dict[str, str] = {
    "game": mark("What it is about"),
    "deal": mark("Chips and deal"),
    "short": mark("Too few chips for the ante"),
    "turn": mark("Who acts"),
    "actions": mark("What you can do"),
    "fold": mark("Giving up"),
    "sizes": mark("How much"),
    "raises": mark("How often"),
    "openers": mark("Opening"),
    "allin": mark("All-in"),
    "draw": mark("The draw"),
    "four": mark("Four cards"),
    "pile": mark("When the pile runs out"),
    "again": mark("After the draw"),
    "shows": mark("Who shows first"),
    "win": mark("Who wins"),
    "odd": mark("Odd chips"),
    "next": mark("The next hand"),
    "leave": mark("When somebody leaves"),
    "wrong": mark("Cards that were moved"),
    "burn": mark("Burned cards"),
    "boards": mark("Comparing open cards"),
    "bringin": mark("A bring-in without chips"),
    "last": mark("The last round"),
    "counts": mark("What counts among open cards"),
    "limit": mark("Fixed limit"),
    "bigbet": mark("After a big bet"),
    "pair": mark("An open pair"),
    "shortraise": mark("All-in for less"),
    "equal": mark("Equal hands"),
    "upcards": mark("Open cards"),
    "firstup": mark("The first open card"),
    "halves": mark("Small and big rounds"),
}

TITLES: dict[str, str] = {
    rule: _TITLES[title]
    for title, rules in (
        ("game", ("DRAW-2", "STUD-3.1", "CASINO-3.2")),
        ("deal", ("DRAW-2-deal", "STUD-3.1-deal", "CASINO-3.2-deal")),
        ("short", ("DRAW-D8", "STUD-T8", "CASINO-T8")),
        ("turn", ("DRAW-2-turn", "STUD-3.1-first", "CASINO-3.2-first")),
        ("actions", ("DRAW-2-actions", "STUD-3.1-actions", "CASINO-3.2-actions")),
        ("fold", ("DRAW-D9",)),
        ("sizes", ("DRAW-D1",)),
        ("raises", ("DRAW-D2",)),
        ("openers", ("DRAW-2-openers",)),
        ("allin", ("DRAW-2-allin", "STUD-3.1-allin", "CASINO-3.2-allin")),
        ("draw", ("DRAW-2-draw",)),
        ("four", ("DRAW-D5",)),
        ("pile", ("DRAW-D6",)),
        ("again", ("DRAW-D4",)),
        ("shows", ("DRAW-D7", "STUD-T4", "CASINO-T4")),
        ("win", ("DRAW-2-win", "STUD-3.1-win", "CASINO-3.2-win")),
        ("odd", ("DRAW-D3", "STUD-T6", "CASINO-T6")),
        ("next", ("DRAW-2-next", "STUD-3.1-next", "CASINO-3.2-next")),
        ("leave", ("DRAW-2-leave", "STUD-3.1-leave", "CASINO-3.2-leave")),
        ("wrong", ("DRAW-2-wrong", "STUD-3.1-wrong", "CASINO-3.2-wrong")),
        ("burn", ("STUD-T7", "CASINO-T7")),
        ("boards", ("STUD-T5", "CASINO-T5")),
        ("bringin", ("STUD-T9", "CASINO-T9")),
        ("last", ("STUD-T10", "CASINO-T10")),
        ("counts", ("STUD-T12", "CASINO-T12")),
        ("limit", ("STUD-3.1-limit", "CASINO-3.2-limit")),
        ("bigbet", ("STUD-T1", "CASINO-T1")),
        ("pair", ("STUD-T2", "CASINO-T2")),
        ("shortraise", ("STUD-T3", "CASINO-T3")),
        ("equal", ("STUD-T11", "CASINO-T11")),
        ("upcards", ("STUD-3.1-upcards", "CASINO-3.2-upcards")),
        ("firstup", ("CASINO-H1",)),
        ("halves", ("CASINO-H2",)),
    )
    for rule in rules
}
"""By paragraph."""

SENTENCES: dict[str, str] = {
    "draw": mark(
        "Everybody gets five cards face down. Between rounds of betting cards are exchanged, and the best hand wins the chips"
        " in the middle."
    ),
    "draws=1": mark("There are two rounds of betting, with one draw between them."),
    "draws=2": mark("There are three rounds of betting, with a draw before the second and before the third."),
    "ante": mark("Before the deal everybody puts in an ante of %(ante)d."),
    "blinds": mark(
        "Nobody puts in an ante. The seat at the dealer's left puts in a small blind of %(small)d, the next one a big blind "
        "of %(big)d; between two players the dealer has the small one."
    ),
    "five down": mark("Five cards each, one at a time, face down in the five slots."),
    "dealer": mark("%(who)s deals this hand; cards and turns begin at the dealer's left."),
    "carried": mark("%(chips)d chips lie in the middle from a hand that nobody has won."),
    "short ante": mark("Whoever cannot pay all of what is due puts in what is left and is all-in."),
    "turn left": mark("Turns go clockwise and begin at the dealer's left, or with the next one who is still in."),
    "turn blinds": mark("Turns go clockwise. The first round begins at the left of the big blind."),
    "actions": mark(
        "With nothing to match you check or bet; after a bet you call, raise or fold. Bets are tapped, and only what is "
        "allowed is offered."
    ),
    "fold free": mark(
        "You may fold on any turn of yours, also where a check would cost nothing. Lift all five cards out of their slots."
    ),
    "limit=none": mark(
        "No limit: a bet is at least %(least)d, a raise at least as much as the last one, and at most all that you have."
    ),
    "limit=pot": mark(
        "Pot limit: a bet is at least %(least)d, a raise at least as much as the last one, and at most what lies in the "
        "middle after a call."
    ),
    "limit=fixed": mark("Fixed limit: every bet and raise is %(small)d in the first round and %(big)d afterwards."),
    "cap": mark("After a bet there are at most %(raises)d raises in a round."),
    "no cap": mark("There may be any number of raises."),
    "closed": mark("Nobody raises himself: who has acted may raise again only after a full raise of somebody else."),
    "short_allin_counts=False": mark("An all-in for less than a full raise uses up none of the raises."),
    "short_allin_counts=True": mark("An all-in for less than a full raise counts as one of the raises."),
    "openers=False": mark("Any hand may open the betting."),
    "openers=True": mark(
        "Jacks or better: the first round is opened with a pair of jacks or something better; after that everybody may call "
        "and raise."
    ),
    "must_open=False": mark("Nobody has to open."),
    "must_open=True": mark("Whoever holds openers has to open."),
    "openers shown": mark(
        "Where no camera looks at the cards, whoever has opened shows his hand in the end, even when all others have folded."
        " Whoever throws openers away says so first and lays them aside. A hand that shows none cannot win; where nobody else is"
        " left, the pot stays for the next deal."
    ),
    "all-in carried": mark(
        "Whoever is all-in when nobody opens is dealt in again, and can win from each of the others as much as he has put in."
    ),
    "openers judged": mark("The table looks at the cards when somebody opens, and says only whether they are openers."),
    "redeal_dealer=same": mark(
        "If nobody opens, the cards go back, everybody antes again, the pot stays, and the same dealer deals."
    ),
    "redeal_dealer=next": mark(
        "If nobody opens, the cards go back, everybody antes again, the pot stays, and the next dealer deals."
    ),
    "all-in": mark("Whoever has too few chips to call puts in all of them and stays in until the end without betting."),
    "side pots": mark(
        "What others bet beyond that is a side pot, which only they can win. Chips that nobody has matched go back."
    ),
    "exchange": mark(
        "In turn from the dealer's left everybody still in, all-in or not, exchanges up to %(most)d cards, or none."
    ),
    "announced": mark("Say how many before you take them; so many slots change, and the new cards lie in these slots."),
    "sorted": mark("You may look at your cards and change their order at any time."),
    "draw_four_with_ace=off": mark("Nobody exchanges more than that, whatever is kept."),
    "draw_four_with_ace=keep": mark("Whoever keeps an ace may exchange the other four."),
    "draw_four_with_ace=keep_and_show": mark("Whoever keeps an ace may exchange the other four, and then shows the ace."),
    "reshuffle_folds=last": mark(
        "If the pile runs out, what others have thrown away is shuffled and used; folded hands only if that is not enough. "
        "Nobody gets back what he has just thrown away."
    ),
    "reshuffle_folds=with_discards": mark(
        "If the pile runs out, what others have thrown away and folded hands are shuffled and used. Nobody gets back what he "
        "has just thrown away."
    ),
    "starts_after_draw=left": mark("After the draw the dealer's left begins, or the next one who is still in."),
    "starts_after_draw=blind": mark("After the draw the left of the big blind begins, or the next one who is still in."),
    "shows": mark(
        "Who made the last bet or raise shows first, then the others clockwise. Where nobody bet in the last round, who began"
        " it shows first."
    ),
    "folded stay": mark("A hand that was given up, or that won because all others gave up, is never shown and stays unknown."),
    "eval=high": mark("The best poker hand wins; suits do not count."),
    "eval=27": mark(
        "The lowest hand wins, deuce to seven: aces are high, straights and flushes count against you, 7-5-4-3-2 is best."
    ),
    "eval=a5": mark("The lowest hand wins, ace to five: aces are low, straights and flushes do not count, 5-4-3-2-A is best."),
    "eval=hilo": mark("High-low: one half of each pot goes to the best hand, the other half to the lowest."),
    "eval=soko": mark("Sökö: four to a straight beats a pair, and four to a flush beats that; two pair beats both."),
    "share": mark("Equal hands share the pot."),
    "soko ties": mark(
        "Four to a straight ties by its top card, four to a flush by its four cards, then the fifth card decides; what is "
        "equal then shares the pot."
    ),
    "low_eval=a5": mark("Low is counted ace to five."),
    "low_eval=27": mark("Low is counted deuce to seven."),
    "declare=simultaneous": mark("Before the showdown everybody taps in secret what he goes for; all of it is shown at once."),
    "declare=clockwise_from_last_bettor": mark(
        "Before the showdown everybody says what he goes for, clockwise from the last bettor."
    ),
    "declare=off": mark("The cards speak: nobody says beforehand what he goes for."),
    "odd_chip=closest": mark(
        "Chips that cannot be shared go to the winner closest to the dealer's left; of two halves the high one gets them."
    ),
    "odd_chip=one_each": mark(
        "Chips that cannot be shared go one by one to the winners from the dealer's left on; of two halves the high one gets "
        "them."
    ),
    "next": mark("After every hand the deal moves on; the table keeps all chips and notes them down after every fifth hand."),
    "button=moving": mark("It goes to the next player on the left who still has chips."),
    "button=dead": mark("It goes to the next seat on the left, even if that player has just run out of chips."),
    "dead blinds": mark(
        "The big blind goes to the next player on the left, the small blind to where the big one was and the deal to where the"
        " small one was, even if nobody sits there any more; nobody pays the small blind then. Between two the dealer pays it."
    ),
    "out": mark("Whoever has no chips left is out. When one player has all of them, they are dealt out anew."),
    "chips": mark("Everybody begins with %(chips)d chips. They are points, not money."),
    "leaver": mark(
        "Whoever leaves checks, stands pat, and folds as soon as there is a bet to match. The chips stay at the seat."
    ),
    "wrong": mark(
        "Every card lies in one place only and is one of this deck. Where the deck is not right the hand is void: antes and "
        "bets go back."
    ),
    "folded hands": mark("Slots of a hand that was given up stay empty, and cards are dealt only when it is their time."),
    "stud": mark(
        "Everybody gets one card face down and four face up, with a round of betting after each; the best hand wins the chips"
        " in the middle."
    ),
    "casino": mark(
        "Stud as it is played in Hungarian casinos: one card face down and four face up, with burned cards, and the lowest "
        "open card has to begin."
    ),
    "last_down=False": mark("The fifth card is open, too."),
    "last_down=True": mark("The fifth card is dealt face down."),
    "one down one up": mark("Slot 1 gets a card face down, slot 2 one face up; later cards go face up into slots 3, 4 and 5."),
    "burn=False": mark("No cards are burned."),
    "burn=True": mark("Before the third, the fourth and the fifth card one card of the pile is laid aside unseen."),
    "bring-in": mark(
        "The lowest open card, by suit where ranks are equal, has to bring in %(chips)d or bet %(bet)d at once. Others fold, "
        "call, or complete to the full bet; only then is there a raise."
    ),
    "highest first": mark("The highest open card acts first and may check; the ace is high."),
    "lowest first": mark("The lowest open cards act first and may check."),
    "boards": mark("In later rounds the best open cards begin; if they cannot act, the next one clockwise."),
    "boards low": mark("In later rounds the lowest open cards begin, too; pairs are bad."),
    "boards compared": mark("Open pairs are compared first, the higher before the lower, then the other cards."),
    "suit_ties=False": mark("If open cards are equal, who sits closer to the dealer's left begins."),
    "suit_ties=True": mark(
        "If open cards are equal, the suit of the most important one says who begins; suits never decide who wins."
    ),
    "bring-in without chips": mark(
        "Whoever would have to bring in and has no chips left after the ante is passed over; the next one clockwise brings in."
    ),
    "no bring-in": mark("Nobody has to bring in at this table."),
    "last down starts": mark("Who began the round before begins the last one, too; if he has folded, the next one clockwise."),
    "last up starts": mark("The last round begins like those before it."),
    "boards only pairs": mark("Among open cards only pairs, two pair, three and four of a kind count, no straights and flushes."),
    "boards soko": mark("Among open cards only pairs, two pair, three and four of a kind count, also in Sökö."),
    "fixed": mark("Fixed limit: every bet and raise is %(small)d in the first two rounds and %(big)d in the last two."),
    "after big bet": mark("After a big bet of the second round there are only big ones in it."),
    "no open pair": mark("The second round has small bets only."),
    "open_pair=True": mark(
        "If anybody shows a pair when the second round begins, each bet or raise of it may be small or big, also when that "
        "player folds."
    ),
    "open_pair=False": mark("An open pair changes nothing about the bets."),
    "short raise": mark(
        "An all-in for less than a full raise opens nothing for who has acted, until such all-ins add up to a full one. The "
        "next full raise is added to the highest bet."
    ),
    "upcards": mark(
        "An open card shows its back to the mat. It is known when it is tapped in, when a camera above sees it, or when it is"
        " shown face down over its slot before it is turned."
    ),
    "upcards lifted": mark("Open cards stay where they lie: after a lift they have to be shown again."),
    "first upcard": mark("The card that decides who brings in is the first open one."),
    "two and two": mark("Of the four rounds the first two are small and the last two big."),
}
