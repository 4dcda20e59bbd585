// Photographs of hands: sends pictures, asks how far they are read, and sends what people say of the cards.

import { send, tell } from "./post.js";

const ASK_MS = 900;
const ASK_TABLE_MS = 4000; // whether the game at the table wants these cards
const TRIES = 4;
const AGAIN_MS = 1500;

const drawn = new Map();
const part = (id) => document.getElementById(id);
const dialog = part("card");
let spots = {};
let waiting = 0;
let sending = 0;
let asking = 0;
let about = null; // what the dialog asks about: {spot} or {hand}

// ---- the page ---------------------------------------------------------------------------------------------------

function show(state) {
  spots = state.spots;
  waiting = state.waiting;
  for (const [id, html] of Object.entries(state.parts)) {
    if (id === "status" && sending) continue;
    place(id, html);
  }
  part("again").hidden = !state.parts.pictures && !state.parts.progress;
  document.body.dataset.pictures = Number(Boolean(state.parts.pictures));
  document.body.dataset.waiting = waiting + sending;
  askLater();
}

function place(id, html) {
  const element = part(id);
  if (drawn.get(id) === html) return;
  // What somebody is just choosing must not change under the finger.
  if (id === "reveal" && drawn.get(id) && html && element.contains(document.activeElement)) return;
  drawn.set(id, html);
  const held = element.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  element.innerHTML = html;
  if (held) [...element.querySelectorAll("button, select")].find((each) => keyOf(each) === held)?.focus();
}

function keyOf(element) {
  return [element.id, element.dataset.spot, element.dataset.add].join("|");
}

function askLater() {
  clearTimeout(asking);
  const table = document.body.dataset.table === "1" && Object.keys(spots).length;
  if (waiting || table) asking = setTimeout(ask, waiting ? ASK_MS : ASK_TABLE_MS);
}

async function ask() {
  try {
    const answer = await fetch("/photo/state.json", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    part("lost").hidden = true;
    show(await answer.json());
  } catch {
    part("lost").hidden = false;
    asking = setTimeout(ask, ASK_TABLE_MS);
  }
}

// ---- pictures ---------------------------------------------------------------------------------------------------

let line = Promise.resolve();

function take(files) {
  const largest = Number(document.body.dataset.largest);
  const sent = files.filter((file) => file.size <= largest);
  tell(sent.length < files.length ? document.body.dataset.big : "");
  if (!sent.length) return;
  sending += sent.length;
  part("status").textContent = part("status").dataset.sending;
  drawn.delete("status");
  for (const file of sent) line = line.then(() => sendPicture(file));
}

async function sendPicture(file) {
  const said = await sent(file);
  sending -= 1;
  if (said?.state) return show(said.state);
  if (said) tell(said.message);
  else part("lost").hidden = false;
  return ask();
}

// What the server says of it; null where it cannot be reached.
async function sent(file) {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    try {
      const body = await file.arrayBuffer(); // some browsers cannot send a chosen file twice
      const headers = { "Content-Type": "application/octet-stream" };
      const answer = await fetch("/photo/pictures", { method: "POST", headers, body });
      const said = await answer.json();
      if (said.error !== "photo_busy" || tried === TRIES) return said;
    } catch {
      // The connection broke, or other pictures are on their way: once more, a little later.
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS * tried));
  }
  return null;
}

for (const input of document.querySelectorAll("[data-take]")) {
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = ""; // so that the same picture can be chosen again
    take(files);
  });
}

// ---- cards ------------------------------------------------------------------------------------------------------

async function deed(name, body) {
  const said = await send(`/photo/${name}`, body);
  if (said?.state) show(said.state);
  return said;
}

function open(asked, words) {
  about = asked;
  const spot = asked.spot === undefined ? null : spots[asked.spot];
  part("card-title").textContent = words;
  for (const button of dialog.querySelectorAll("[aria-pressed]")) button.setAttribute("aria-pressed", "false");
  offer(spot);
  offerHands(spot);
  crop(spot);
  part("gone").hidden = !spot || spot.gone;
  dialog.showModal();
}

function button(text, does) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", does);
  return made;
}

function offer(spot) {
  const likely = dialog.querySelector(".likely");
  likely.replaceChildren(...(spot?.likely ?? []).map(({ card, words }) => button(words, () => name(card))));
  likely.hidden = !likely.children.length;
}

function offerHands(spot) {
  const moves = dialog.querySelector(".moves");
  const choices = moves.querySelector(".choices");
  const names = [...document.querySelectorAll("#hands .hand")].map((hand) => hand.getAttribute("aria-label"));
  const held = spot !== null && spot.hand !== null;
  const buttons = [...names, choices.dataset.new].map((words, hand) => button(words, () => move(hand)));
  choices.replaceChildren(...buttons.filter((_, hand) => held && hand !== spot.hand));
  moves.hidden = !held;
}

// The card itself, large: its surroundings on the picture, with its outline.
function crop(spot) {
  const view = part("crop");
  const shown = spot && spot.picture !== null && document.querySelector(`[data-picture="${spot.picture}"] image`);
  view.toggleAttribute("hidden", !shown);
  if (!shown) return;
  const xs = spot.corners.map(([x]) => x);
  const ys = spot.corners.map(([, y]) => y);
  const edge = 0.2 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [x, y] = [Math.min(...xs) - edge, Math.min(...ys) - edge];
  view.setAttribute("viewBox", [x, y, Math.max(...xs) + edge - x, Math.max(...ys) + edge - y].join(" "));
  for (const name of ["href", "width", "height"]) view.querySelector("image").setAttribute(name, shown.getAttribute(name));
  view.querySelector("polygon").setAttribute("points", spot.corners.join(" "));
}

function close() {
  dialog.close();
}

async function move(hand) {
  close();
  await deed("move", { spot: about.spot, hand });
}

async function name(card) {
  close();
  await (about.spot === undefined ? deed("add", { hand: about.hand, card }) : deed("card", { spot: about.spot, card }));
}

dialog.addEventListener("click", async (event) => {
  if (event.target.closest("#close") || event.target === dialog) return close();
  if (event.target.closest("#gone")) {
    close();
    return deed("gone", { spot: about.spot });
  }
  const pressed = event.target.closest("[aria-pressed]");
  if (!pressed) return null;
  for (const other of pressed.parentElement.children) other.setAttribute("aria-pressed", String(other === pressed));
  const rank = dialog.querySelector(".ranks [aria-pressed=true]");
  const suit = dialog.querySelector(".suits [aria-pressed=true]");
  return rank && suit ? name(rank.dataset.rank + suit.dataset.suit) : null;
});

document.addEventListener("click", (event) => {
  const tapped = event.target.closest("[data-spot], [data-add]") ?? nearest(event);
  if (!tapped) return;
  if (tapped.dataset.add !== undefined) open({ hand: Number(tapped.dataset.add) }, tapped.dataset.words);
  else if (spots[tapped.dataset.spot]) open({ spot: Number(tapped.dataset.spot) }, spots[tapped.dataset.spot].words);
});

// A finger is thicker than a small card: the nearest one counts.
function nearest(event) {
  const picture = event.target.closest("svg.picture");
  if (!picture) return null;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  let found = null;
  let least = Infinity;
  for (const spot of picture.querySelectorAll("[data-spot]")) {
    const { x, y, size } = spot.dataset;
    const away = Math.hypot(at.x - x, at.y - y) / size;
    if (away < least && away < 3.3) [found, least] = [spot, away]; // a label is a third of a card high
  }
  return found;
}

document.addEventListener("change", (event) => {
  if (["way", "ranking"].includes(event.target.id)) deed("sort", { [event.target.id]: event.target.value });
});

document.addEventListener("submit", async (event) => {
  if (event.target.id !== "whose") return;
  event.preventDefault();
  const chosen = [...event.target.querySelectorAll("select")].map((each) => (each.value === "" ? null : Number(each.value)));
  document.activeElement?.blur();
  const said = await deed("reveal", { seats: chosen });
  if (said) {
    part("entered").replaceChildren(
      ...said.lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })),
    );
  }
});

part("again").addEventListener("click", async () => {
  if (await deed("again", {})) part("entered").replaceChildren();
});

// A telephone that slept, or a page that was gone back to, shows what holds now.
addEventListener("pageshow", ask);
document.addEventListener("visibilitychange", () => document.hidden || ask());

document.body.dataset.ready = "";
