"""The contract of all cameras, held against every kind of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.camera import BACK_ENDS
from tests.firmware.cameras.benches import BENCHES, bench_of
from tests.firmware.cameras.contract import CHECKS


@pytest.mark.parametrize("kind", BENCHES)
@pytest.mark.parametrize("check", CHECKS)
def test_every_kind_of_camera_keeps_the_contract(check: str, kind: str, tmp_path: Path) -> None:
    with bench_of(kind, tmp_path) as bench:
        CHECKS[check](bench)


def test_no_kind_of_camera_is_without_a_bench(tmp_path: Path) -> None:
    kinds = set()
    for name in BENCHES:
        (tmp_path / name).mkdir()
        with bench_of(name, tmp_path / name) as bench:
            kinds.add(bench.plan.kind)
    assert kinds == {kind for kind, back_end in BACK_ENDS.items() if back_end.own_process}
