// The replay of a finished game.  The server has sent every moment; nothing is asked for while one goes through them.

const PACE_MS = 1900;
const LOW = 0.8; // of a card's height: an arrow covers no rank

const stage = document.getElementById("stage");
const moments = JSON.parse(stage.dataset.moments);
const ways = stage.querySelector(".ways");
const control = document.querySelector(".control");
const range = control.querySelector("input");
const buttons = Object.fromEntries(["previous", "play", "next"].map((name) => [name, control.querySelector(`.${name}`)]));
const cursor = document.querySelector(".cursor");
const xs = cursor ? cursor.dataset.xs.split(" ").map(Number) : [];

let at = 0;
let playing = 0;

function drawn(text) {
  return document.getElementById(`card-${text ?? ""}`).content.cloneNode(true);
}

function put(item, text) {
  const was = item.dataset.card;
  if (was !== undefined && was === String(text)) return;
  item.dataset.card = String(text);
  item.replaceChildren(drawn(text));
}

function fill(list, cards) {
  while (list.children.length > cards.length) list.lastElementChild.remove();
  while (list.children.length < cards.length) list.append(document.createElement("li"));
  cards.forEach((text, place) => put(list.children[place], text));
}

export function show(number) {
  at = Math.max(0, Math.min(moments.length - 1, number));
  const moment = moments[at];
  const touched = new Set(moment.ways.flat());
  for (const seat of stage.querySelectorAll(".seat")) {
    const who = Number(seat.dataset.seat);
    fill(seat.querySelector(".slots"), moment.hands[who]);
    seat.querySelector(".worth").textContent = moment.worths[who];
    seat.classList.toggle("leads", moment.lead === who);
    for (const slot of seat.querySelectorAll("[data-place]")) slot.classList.toggle("touched", touched.has(slot.dataset.place));
  }
  fill(stage.querySelector(".row"), moment.row);
  stage.querySelector(".stack .count").textContent = moment.pile;
  stage.querySelector(".out .count").textContent = moment.removed;
  document.querySelector("#now .which").textContent = moment.which;
  document.querySelector("#now .done").textContent = moment.words;
  range.value = String(at);
  range.setAttribute("aria-valuetext", `${moment.which}. ${moment.words}`);
  buttons.previous.disabled = at === 0;
  buttons.next.disabled = at === moments.length - 1;
  if (cursor) for (const end of ["x1", "x2"]) cursor.setAttribute(end, xs[at]);
  for (const link of document.querySelectorAll(".moves a, .turnings a")) {
    link.parentElement.classList.toggle("here", link.hash === `#move-${at}`);
  }
  draw(moment.ways);
}

// --- the arrows of a move -------------------------------------------------------------------------------------------

function middle(place, leaving) {
  let element = stage.querySelector(`[data-place="${place}"]`);
  if (place === "row" && !leaving && element.lastElementChild) element = element.lastElementChild;
  const box = (place === "pile" || place === "removed" ? element.querySelector(".card") : element).getBoundingClientRect();
  const whole = stage.getBoundingClientRect();
  const x = place === "row" && leaving && element.lastElementChild ? element.lastElementChild.getBoundingClientRect().right + 14 : box.x + box.width / 2;
  return [x - whole.x - stage.clientLeft, box.y + box.height * LOW - whole.y - stage.clientTop];
}

function draw(pairs) {
  for (const old of ways.querySelectorAll(".way")) old.remove();
  for (const [source, target] of pairs) {
    const [x1, y1] = middle(source, true);
    const [x2, y2] = middle(target, false);
    const bend = 0.16;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", "way");
    path.setAttribute("marker-end", "url(#head)");
    path.setAttribute("d", `M${x1} ${y1}Q${(x1 + x2) / 2 - (y2 - y1) * bend} ${(y1 + y2) / 2 + (x2 - x1) * bend} ${x2} ${y2}`);
    ways.append(path);
  }
}

// --- going through it -----------------------------------------------------------------------------------------------

function play(on) {
  clearInterval(playing);
  playing = 0;
  if (on && at === moments.length - 1) show(0);
  if (on) {
    playing = setInterval(() => {
      show(at + 1);
      if (at === moments.length - 1) play(false);
    }, PACE_MS);
  }
  buttons.play.classList.toggle("on", on);
  buttons.play.setAttribute("aria-label", on ? buttons.play.dataset.pause : buttons.play.dataset.play);
}

function go(number) {
  play(false);
  show(number);
}

function asked() {
  const found = /^#move-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

buttons.previous.addEventListener("click", () => go(at - 1));
buttons.next.addEventListener("click", () => go(at + 1));
buttons.play.addEventListener("click", () => play(!playing));
range.addEventListener("input", () => go(Number(range.value)));
document.addEventListener("keydown", (event) => {
  if (event.target !== document.body || event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moments.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest(".moves a, .turnings a");
  if (!link) return;
  event.preventDefault(); // the table above is what moves, not the page to the list
  history.replaceState(null, "", link.hash);
  go(asked());
  stage.scrollIntoView({ block: "nearest" });
});
document.querySelector(".plot")?.addEventListener("click", (event) => {
  const plot = event.currentTarget;
  const box = plot.getScreenCTM();
  const x = (event.clientX - box.e) / box.a;
  go(xs.reduce((best, one, number) => (Math.abs(one - x) < Math.abs(xs[best] - x) ? number : best), 0));
});
addEventListener("hashchange", () => asked() !== null && go(asked()));
addEventListener("resize", () => draw(moments[at].ways));

control.hidden = false;
for (const item of stage.querySelectorAll(".slots li, .row li")) delete item.dataset.card;
show(asked() ?? 0);
// A link to a move leads to the table as it was then, and not to the list, where the browser would go.
for (const item of document.querySelectorAll(".moves li")) item.removeAttribute("id");
if (asked() !== null) addEventListener("load", () => scrollTo(0, 0));

// --- the game on the table may be taken up again ---------------------------------------------------------------------

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/state.json", { cache: "no-store" });
    if (answer.ok && !(await answer.json()).view.result) location.replace("/"); // nothing of its cards is told any more
  } catch {
    // No connection: what is shown here was told when it could be.
  }
}

if (document.body.dataset.live !== undefined) {
  setInterval(look, 3000);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
}
