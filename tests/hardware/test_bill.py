"""The bills add up, and the documents say what they add up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.bill import BILL, BillError, document, fuse_for, ladder_table, read_catalogue

CATALOGUE = read_catalogue()


def test_the_reference_bill_of_five_mats_part_by_part() -> None:
    bill = CATALOGUE.bill("reference", 5)
    assert [(line.part.id, line.count, line.sum) for line in bill.lines] == [
        ("pi5", 1, 95), ("supply", 1, 20), ("zero", 5, 90), ("cm3", 5, 125), ("ribbon", 5, 20), ("card16", 5, 30),
        ("mirror", 5, 70), ("light", 5, 35), ("plate", 5, 60), ("leads", 5, 5),
        ("camera-lamp", 5, 5), ("peek", 5, 20), ("controls", 5, 20),
    ]  # fmt: skip
    assert bill.total == 595


@pytest.mark.parametrize(("build", "totals"), [("reference", (211, 403, 499, 595)), ("economical", (168, 262, 309, 356))])
def test_totals_of_one_three_four_and_five_mats(build: str, totals: tuple[int, ...]) -> None:
    assert tuple(CATALOGUE.bill(build, seats).total for seats in (1, 3, 4, 5)) == totals


def test_the_tray_is_one_more_mat_without_what_only_an_owner_needs() -> None:
    plain, tray = CATALOGUE.bill("reference", 3), CATALOGUE.bill("reference", 3, tray=True)
    more = {after.part.id: after.count - before.count for before, after in zip(plain.lines, tray.lines, strict=True)}
    chosen = CATALOGUE.builds["reference"]
    assert {name for name, count in more.items() if count} == set(chosen.mat)
    assert set(more.values()) == {0, 1}


def test_every_part_is_used_and_is_said_what_it_is_for() -> None:
    used = {name for build in CATALOGUE.builds.values() for name in (*build.hub, *build.mat, *build.seat)}
    assert used == set(CATALOGUE.parts)
    assert [part.id for part in CATALOGUE.parts.values() if not part.what_for] == []


@pytest.mark.parametrize(("amps", "fuse"), [(0.4, 0.5), (0.8, 1.0), (0.81, 1.6), (1.85, 2.5), (8.0, 10.0)])
def test_a_fuse_is_run_at_four_fifths_at_most(amps: float, fuse: float) -> None:
    assert fuse_for(amps) == fuse


def test_there_is_no_fuse_for_everything() -> None:
    with pytest.raises(BillError) as caught:
        fuse_for(17)
    assert str(caught.value) == "no fuse for 17 A; the largest is 20 A"


def test_currents_of_a_mat_and_of_a_table() -> None:
    # A node, its camera, its light and its lamps.
    assert CATALOGUE.mat_amps("reference") == pytest.approx(0.7 + 0.25 + 0.8 + 0.1)
    # The camera is fed over USB; seat and slot lamps hang on the hub.
    assert CATALOGUE.mat_amps("economical") == pytest.approx(0.8)
    assert CATALOGUE.supply_amps("economical", 6) == pytest.approx(0.1 + 0.2 + 6 * 0.8)


@pytest.mark.parametrize(("build", "rating"), [("reference", 15.0), ("economical", 8.0)])
def test_the_supply_on_the_bill_feeds_five_mats_and_the_tray(build: str, rating: float) -> None:
    (supply,) = (CATALOGUE.parts[name] for name in CATALOGUE.builds[build].hub if name.startswith("supply"))
    assert f"{rating:g} A" in supply.name
    assert fuse_for(CATALOGUE.supply_amps(build, 6)) <= rating


def test_a_build_or_a_table_that_there_is_not_is_refused() -> None:
    with pytest.raises(BillError, match="there is no build 'gold'; expected reference, economical"):
        CATALOGUE.bill("gold", 3)
    with pytest.raises(BillError, match="a table has 1 to 5 mats beside its tray, not 6"):
        CATALOGUE.bill("reference", 6)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "pi4"', 'id = "pi5"', "bill.toml: pi5 stands twice"),
        ('"zero", "cm3",', '"zero", "cm4",', "bill.toml: build reference names 'cm4', but there is no such part"),
    ],
)
def test_a_bill_with_a_mistake_is_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = BILL.read_text()
    assert old in text
    (tmp_path / "bill.toml").write_text(text.replace(old, new))
    with pytest.raises(BillError) as caught:
        read_catalogue(tmp_path / "bill.toml")
    assert str(caught.value) == said


def test_the_document_adds_up() -> None:
    """The totals that stand in bill.md are the sums of the rows above them."""
    text = document(CATALOGUE)
    for part in text.split("\n## ")[3:]:
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.splitlines() if row.startswith("|")]
        sums = [sum(int(row[2]) * int(row[column]) for row in rows[2:-1]) for column in range(3, 8)]
        assert [int(cell.strip("*")) for cell in rows[-1][3:]] == sums
    assert ladder_table(CATALOGUE) in text
