// The virtual table: draws what lies there, and sends what hands are to do.  What the companion makes of it comes on the stream
// that every page follows.

import { glide, places } from "./glide.js";
import { grasp } from "./grasp.js";
import { post, send, tell } from "./post.js";
import { follow } from "./stream.js";
import { lookThrough } from "./viewfinder.js";

const drawn = new Map();
const mine = document.body.dataset.mine.split(" ").filter(Boolean).map(Number);
const box = (id) => document.getElementById(id);
const deeds = [...document.querySelectorAll("#hands [data-deed]")];
let view = null;
let table = null;
let waiting = null; // drawn once the finger has let go
let asking = null;
let offered = null; // the card in the hand that was taken hold of by itself
let posting = 0; // deeds on their way to the table
let sent = null; // number of the table at which the last one was sent
let aimed = null; // where the card goes that will be in the hand
let sayings = 0; // so that an answer that comes late does not talk over what was said meanwhile

// ---- what hands do

const acting = () => {
  if (!box("who").parentElement.hidden) return Number(box("who").value);
  return view && mine.includes(view.current) ? view.current : mine[0] ?? 0;
};

function say(text) {
  sayings += 1;
  box("said").textContent = text;
}

async function perform(deed, more = {}) {
  const before = (sayings += 1);
  const done = await send("/puppet/do", { deed, seat: acting(), ...more });
  if (done && before === sayings) say(done.said);
  return done;
}

const hand = grasp({
  told: say,
  several: () => box("several").checked,
  pointed(to) {
    const held = heldBy(acting());
    if (underWay()) aimed = to; // which card will be in the hand is not seen yet
    else if (held.length === 1) move(held, to);
    else return false;
    return true;
  },
  moved: move,
});

const underWay = () => posting > 0 || table?.busy || table?.number === sent;

async function move(what, to) {
  const face = box("upside").checked ? { up: !to.startsWith("row") } : {};
  if (what.includes(offered)) offered = null; // where the hands cannot do it, the card is taken up anew
  const target = to.startsWith("row") && !box("on-top").checked ? "row" : to;
  sent = table?.number ?? null;
  posting += 1;
  const done = await Promise.all(
    to.startsWith("hand-")
      ? [perform("lift", { what, seat: Number(to.slice(5)) })]
      : what.map((card) => perform("move", { what: [card], to: target, on_top: box("on-top").checked, ...face })),
  );
  posting -= 1;
  if (done.some(Boolean)) return;
  sent = null;
  if (!hand.picked.length) hand.pick(what);
}

function click(name) {
  if (name === "let_go") return hand.letGo();
  if (name === "hold_all") return perform("lift", { what: ownCards() });
  if (["look", "turn", "lift"].includes(name)) {
    const what = hand.picked;
    hand.letGo();
    return perform(name, { what });
  }
  return perform(name);
}

function ownCards() {
  return [...document.querySelectorAll(`#top-${acting()} .slots .spot:not(.is-free)`)].map((spot) => spot.dataset.spot);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { deed, press, pick, sit, post: path, body } = button.dataset;
  // Before the answer: with it the button may be drawn anew, and what has to be done next lies below the sheet.
  const menu = button.closest(".menu[open]");
  if (menu) closeMenu(menu);
  if (deed) click(deed);
  else if (press) perform("press", { seat: Number(press) });
  else if (pick) hand.pick([pick], button.textContent);
  else if (sit) await takeSeats({ mine, all: [...drawnSeats()], none: [] }[sit], false);
  else if (button.dataset.tutorial !== undefined) await takeSeats(mine.slice(0, 1), true);
  else if (button.dataset.noTutorial !== undefined) decline();
  else if (path) {
    button.disabled = true;
    const taken = await post(path, JSON.parse(body));
    button.disabled = false;
    if (taken && button.dataset.then) location.replace(button.dataset.then);
  }
});

function closeMenu(menu) {
  menu.open = false;
  menu.querySelector("summary").focus({ preventScroll: true });
}

const drawnSeats = () => document.querySelectorAll(".seat").keys();

async function takeSeats(seats, tutorial, sure = false) {
  decline();
  if (await send("/puppet/sit", { seats, tutorial, sure }, (refused) => askFirst(refused, () => takeSeats(seats, tutorial, true)))) say("");
}

// A game that is being played is not ended by one wrong tap.
function askFirst({ error, message }, then) {
  if (!["game_runs", "hands_open"].includes(error)) return false;
  const dialog = box("ask-sit");
  box("ask-sit-title").textContent = message;
  dialog.returnValue = "";
  dialog.addEventListener("close", () => dialog.returnValue === "sure" && then(), { once: true });
  dialog.showModal();
  return true;
}

function decline() {
  sessionStorage.setItem("no-tutorial", "1");
  box("offer").hidden = true;
}

// ---- drawing

function place(id, html) {
  const element = box(id);
  if (!element || drawn.get(id) === html) return false;
  drawn.set(id, html);
  const held = element.contains(document.activeElement) ? document.activeElement : null;
  const key = held && keyOf(held);
  element.innerHTML = html;
  if (held) {
    const again = [...element.querySelectorAll("button, a")].find((one) => keyOf(one) === key);
    // The card has gone elsewhere: the hand is what is nearest to it.
    (again ?? document.querySelector(`#top-${acting()} .palm`))?.focus();
  }
  return true;
}

const keyOf = ({ dataset, className }) => [dataset.spot, dataset.press, dataset.post, dataset.body, className.split(" ")[0]].join("|");

function draw(state) {
  const before = places();
  table = state;
  let changed = false;
  for (const [id, html] of Object.entries(state.parts)) changed = place(id, html) || changed;
  document.body.dataset.number = state.number;
  document.querySelector("main").setAttribute("aria-busy", String(state.busy));
  document.body.dataset.lesson = document.querySelector(".lesson")?.dataset.lesson ?? "";
  if (changed) glide(before, document.querySelector("[data-spot=pile]"));
  if (state.refused) tell(state.refused);
  const now = heldBy(acting());
  // The one card in the hand is about to be laid somewhere; who lets it go has other plans.
  const still = !state.busy && !posting;
  if (still && now.length === 1 && now[0] !== offered && !hand.picked.length) {
    if (aimed && document.querySelector(`[data-spot="${aimed}"].is-free`)) move(now, aimed);
    else hand.pick(now, document.querySelector(`[data-spot="${now[0]}"]`).ariaLabel);
  } else if (hand.picked.some((name) => name.startsWith("held-") && !now.includes(name))) hand.letGo();
  if (still) [offered, aimed] = [posting ? null : (now.length === 1 ? now[0] : null), null];
  hand.mark();
  refresh();
}

function heldBy(seat) {
  return [...document.querySelectorAll(`#top-${seat} .held [data-spot]`)].map((spot) => spot.dataset.spot);
}

function show(state) {
  if (hand.dragging) waiting = state;
  else draw(state);
}

document.addEventListener("let-go", () => {
  if (waiting) draw(waiting);
  waiting = null;
});
document.addEventListener("picked", () => refresh());

// What can be done now is offered; what the companion says of seats and slots is marked.
function refresh() {
  if (!view || !table) return;
  const own = heldBy(acting()).length;
  const free = document.querySelector(`#top-${acting()} .slots .is-free`) !== null;
  const hidden = document.querySelector(`#top-${acting()} .slots .back`) !== null;
  const picked = hand.picked.filter((name) => name.startsWith("slot") || name.startsWith("row"));
  const wrong = Boolean(view.violation || view.awaiting.length || view.steps.length || view.turn_down);
  const over = view.phase === "over";
  const wanted = {
    deal_all: !table.dealt, deal: !table.dealt, show: over && !wrong && hidden, restore: wrong, back: own > 0 && free,
    hold_all: table.dealt && !own && !over && !hand.picked.length, look: picked.length > 0, turn: picked.length > 0,
    lift: hand.picked.some((name) => !name.startsWith("held")), let_go: hand.picked.length > 0,
  };
  for (const button of deeds) button.hidden = !wanted[button.dataset.deed];
  box("where").hidden = !hand.picked.some((name) => name.startsWith("held-"));
  const put = new Set([...(view.violation?.remedy ?? []), ...view.awaiting].filter((one) => !one.done && one.place).map((one) => one.place.join("-")));
  const locks = new Map(view.locks.filter((lock) => lock.slot).map((lock) => [`${lock.thief}-${lock.slot}`, lock.turns_left]));
  for (const slot of document.querySelectorAll("[data-slot]")) {
    slot.classList.toggle("means-put_back", put.has(slot.dataset.slot));
    if (locks.has(slot.dataset.slot)) slot.dataset.lock = locks.get(slot.dataset.slot);
    else delete slot.dataset.lock;
  }
  for (const [number, seat] of [...document.querySelectorAll(".seat")].entries()) {
    seat.querySelector(".mat")?.classList.toggle("means-turn", Number(seat.id.slice(4)) === view.current && !view.result);
    seat.querySelector(".mat")?.classList.toggle("means-winner", Boolean(view.result?.winners.includes(number)));
  }
  document.body.classList.toggle("my-turn", mine.includes(view.current));
  const begun = view.turn > 0 || document.body.dataset.lesson || sessionStorage.getItem("no-tutorial");
  box("offer").hidden = Boolean(begun) || table.dealt || !box("ask-sit"); // only who decides may begin it
}

// ---- following

async function ask() {
  const known = table ? `after=${table.number}` : "";
  const all = box("all-faces").checked ? "&all=1" : "";
  asking = new AbortController();
  const answer = await fetch(`/puppet/table.json?${known}${all}`, { cache: "no-store", signal: asking.signal });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function watch() {
  for (;;) {
    try {
      if (document.hidden) await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
      const state = await ask();
      if (!state.playing) return location.replace("/strings");
      // Other seats than those that the page was laid for, or a page that was opened before there was a game.
      if (state.number >= 0 && state.mine.join(" ") !== document.body.dataset.mine) return location.reload();
      if (state.number < 0) await new Promise((later) => setTimeout(later, 300));
      else if (!table || state.number !== table.number || state.language !== document.documentElement.lang) show(state);
    } catch (error) {
      if (error.name !== "AbortError") await new Promise((later) => setTimeout(later, 1000));
    }
  }
}

box("all-faces").addEventListener("change", () => {
  table = table && { ...table, number: "" };
  asking?.abort();
});
if (mine.length > 1) box("who").parentElement.hidden = false;
box("who").value = String(mine[0] ?? 0);

follow({
  stream: `/events?language=${document.documentElement.lang}`,
  state: `/state.json?language=${document.documentElement.lang}`,
  visitor: `puppeteer|${document.documentElement.lang}`,
  onState(state) {
    if (state.view.seats.length !== document.querySelectorAll(".seat").length) return location.reload();
    view = state.view;
    document.body.dataset.mood = state.mood;
    document.body.dataset.version = state.version;
    for (const id of ["spoken", "words", "talk", "ending", "notes", "calls", "halt"]) place(id, state.parts[id]);
    if (mine.length > 1 && mine.includes(view.current)) box("who").value = String(view.current);
    refresh();
  },
  onLink(there) {
    box("lost").hidden = there;
    document.body.classList.toggle("stale", !there);
  },
});
lookThrough(box("cameras"), () => table?.cameras ?? {}, () => box("all-faces").checked);
watch();
