"""One command from nothing to the shipped model: ``python -m models.training.train --out models --seed 1``."""

from __future__ import annotations

import argparse
import copy
import json
import os
import queue
import sys
import time
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

try:
    import torch
except ImportError as missing:  # pragma: no cover - depends on the installation
    raise SystemExit("training needs torch: pip install 'viewmat[train]'") from missing

from torch import Tensor
from torch.nn import functional

from models.training.artwork import DEFAULT_CACHE
from models.training.augment import Batch, look_again, make_batch, mat_batch
from models.training.describe import describe
from models.training.export import export_onnx
from models.training.glyphs import ToolError, check_tools
from models.training.measure import choose_threshold, scores_of, tally, temperatures
from models.training.net import CardNet
from models.training.pool import Pool, held_out_pool, training_pool
from vision.synthetic.scene import Difficulty

CHECKPOINT = "checkpoint.pt"
SAMPLES = 2_400_000
LEVELS: tuple[Difficulty, ...] = ("normal", "hard")


@dataclass(frozen=True, slots=True)
class Plan:
    """What one training run does; the same plan gives the same model."""

    out: Path
    cache: Path
    seed: int = 1
    samples: int = SAMPLES
    minutes: float | None = None
    batch: int = 128
    looks: int = 2
    """How often each batch is learnt from, the next times shifted and lit a little differently: making it is the dearer half."""
    decks: int = 280
    rendered: int = 48
    artwork: bool = True
    """Whether installed designs are used; without them only drawn decks are."""
    makers: int = 1
    resume: bool = False
    validation: int = 40
    mats: int = 12
    """Frames of each named deck of the renderer, at each difficulty, that the model is measured on."""
    keep_every: int = 500
    """Steps from checkpoint to checkpoint."""

    @property
    def steps(self) -> int:
        return max(1, self.samples // self.batch)


def run(plan: Plan) -> dict[str, float]:
    """Train, choose temperature and threshold on held-out designs, write the model; the figures."""
    check_tools()
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    started = time.monotonic()
    pool = training_pool(plan.cache, plan.seed, plan.decks, plan.rendered, plan.artwork)
    _say(f"{len(pool.pictures)} tiles of {len(pool.names) - 1} decks after {time.monotonic() - started:.0f} s")
    net, seen, spent = _fit(plan, pool)
    chosen = _choose(plan, net)
    export_onnx(net, chosen[0], plan.out / "cards.onnx")
    mats = {level: scores_of(net, [mat_batch(plan.seed, level, plan.mats)]) for level in LEVELS}
    test = held_out_pool(plan.cache, plan.seed, "test", artwork=plan.artwork)
    scores = scores_of(net, _windows(plan, test))
    facts = {"samples": seen, "minutes": spent / 60, "seed": plan.seed}
    describe(plan.out, net, pool.names, (test.names, scores), mats, chosen, facts)
    (plan.out / CHECKPOINT).unlink(missing_ok=True)
    found = tally(scores, *chosen)
    return {"right": found.right, "wrong": found.wrong, "unknown": found.unknown, "named": found.named, "threshold": chosen[1]}


def _choose(plan: Plan, net: CardNet) -> tuple[tuple[float, float, float], float]:
    """Temperatures and threshold, on the designs and fonts of validation."""
    pool = held_out_pool(plan.cache, plan.seed, "validation", artwork=plan.artwork)
    scores = scores_of(net, _windows(plan, pool))
    heat = temperatures(scores)
    return heat, choose_threshold(scores, heat)


def _windows(plan: Plan, pool: Pool) -> list[Batch]:
    return [make_batch(pool, 256, 10_000_000 + i) for i in range(plan.validation)]


def _fit(plan: Plan, pool: Pool) -> tuple[CardNet, int, float]:
    """The net, from how many windows it learnt, and how many seconds that took, over all runs that were resumed."""
    net = CardNet().to(memory_format=torch.channels_last)
    average = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.02)
    kept = plan.out / CHECKPOINT
    done, spent = 0, 0.0
    if plan.resume and kept.exists():
        state = torch.load(kept, weights_only=True)
        net.load_state_dict(state["net"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        done, spent = state["step"], state["spent"]
        _say(f"going on after {done} of {plan.steps} steps")
    started = time.monotonic() - spent
    first = done // plan.looks
    with _makers(plan, pool, first) as batches:
        batch: Batch | None = None
        for step in range(done, plan.steps):
            share = _progress(plan, step, time.monotonic() - started)
            if share >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = _rate(share)
            if batch is None or step % plan.looks == 0:
                batch = batches.take(step // plan.looks)
            torch.manual_seed(_batch_seed(plan, step))  # of the dropout
            loss = _learn(net, optimiser, batch if step % plan.looks == 0 else look_again(batch, _batch_seed(plan, step)))
            _follow(average, net, min(0.998, (step + 1) / (step + 20)))
            done = step + 1
            if done % 100 == 0 or done == plan.steps:
                _say(f"step {done}/{plan.steps} loss {loss:.3f} {time.monotonic() - started:.0f} s")
            if done % plan.keep_every == 0 or done == plan.steps:
                state = {"net": net.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict()}
                plan.out.mkdir(parents=True, exist_ok=True)
                torch.save({**state, "step": done, "spent": time.monotonic() - started}, kept)
    return average, done * plan.batch, time.monotonic() - started


def _progress(plan: Plan, step: int, seconds: float) -> float:
    by_steps = step / plan.steps
    return by_steps if plan.minutes is None else max(by_steps, seconds / 60 / plan.minutes)


def _rate(share: float) -> float:
    """Learning rate: a short rise, then a half cosine to nothing."""
    if share < 0.04:
        return 3e-3 * (0.1 + 0.9 * share / 0.04)
    return float(3e-3 * 0.5 * (1 + torch.cos(torch.tensor((share - 0.04) / 0.96 * torch.pi)))) + 1e-6


def _learn(net: CardNet, optimiser: torch.optim.Optimizer, batch: Batch) -> float:
    net.train()
    loss = loss_of(net(batch.windows.float().contiguous(memory_format=torch.channels_last)), batch)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return loss.item()


def loss_of(answers: tuple[Tensor, Tensor, Tensor], batch: Batch) -> Tensor:
    """Kind where it is beyond argument; rank and suit wherever a card lies, so that half an index is not guessed from."""
    rank, suit, kind = answers
    weights, told = batch.weights, batch.told
    kinds = functional.cross_entropy(kind, batch.kinds, reduction="none")
    ranks = functional.cross_entropy(rank, batch.ranks, reduction="none", label_smoothing=0.01)
    suits = functional.cross_entropy(suit, batch.suits, reduction="none", label_smoothing=0.01)
    return (kinds * weights).sum() / weights.sum().clamp(min=1) + ((ranks + suits) * told).sum() / told.sum().clamp(min=1)


def _follow(average: CardNet, net: CardNet, keep: float) -> None:
    with torch.no_grad():
        for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if slow.is_floating_point():
                slow.mul_(keep).add_(fast, alpha=1 - keep)
            else:
                slow.copy_(fast)


class _makers:  # noqa: N801 - used like a function, in a with statement
    """Processes that make batches ahead; step n always gets the batch of seed n, whoever makes it."""

    def __init__(self, plan: Plan, pool: Pool, first: int) -> None:
        context = get_context("fork")
        self._queues: list[Queue[tuple[object, ...]]] = [context.Queue(6) for _ in range(plan.makers)]
        self._plan, self._pool = plan, pool
        self._workers = [
            context.Process(target=_make, args=(plan, pool, first, number, line), daemon=True)
            for number, line in enumerate(self._queues)
        ]

    def __enter__(self) -> _makers:
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.terminate()
            worker.join()

    def take(self, step: int) -> Batch:
        if not self._queues:
            return make_batch(self._pool, self._plan.batch, _batch_seed(self._plan, step))
        number = step % len(self._queues)
        while True:
            try:
                arrays = self._queues[number].get(timeout=60)
                return Batch(*(torch.from_numpy(array) for array in arrays))
            except queue.Empty:
                if not self._workers[number].is_alive():
                    raise RuntimeError(f"the process that makes batch {step} has ended") from None


def _batch_seed(plan: Plan, step: int) -> int:
    return plan.seed * 1_000_003 + step


def _make(plan: Plan, pool: Pool, first: int, number: int, line: Queue[tuple[object, ...]]) -> None:
    torch.set_num_threads(1)
    step = first + (number - first) % plan.makers
    while step * plan.looks < plan.steps:
        batch = make_batch(pool, plan.batch, _batch_seed(plan, step))
        line.put(tuple(getattr(batch, name).numpy() for name in Batch.__dataclass_fields__))
        step += plan.makers


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Train the card model from installed artwork and drawn decks.")
    parser.add_argument("--out", type=Path, required=True, help="folder for cards.onnx and cards.toml")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where rasterised designs are kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"windows to learn from (default {SAMPLES})")
    parser.add_argument("--minutes", type=float, help="stop after this time; the result then depends on the machine's speed")
    parser.add_argument("--no-artwork", action="store_true", help="only decks that are drawn here, no installed designs")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint in the output folder")
    chosen = parser.parse_args()
    plan = Plan(chosen.out, chosen.cache, chosen.seed, chosen.samples, chosen.minutes)
    makers = 1 if (os.cpu_count() or 1) < 4 else 3
    plan = replace(plan, makers=makers, resume=chosen.resume, artwork=not chosen.no_artwork)
    try:
        print(json.dumps(run(plan)))
    except ToolError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
