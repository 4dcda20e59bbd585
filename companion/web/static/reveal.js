// The show at the end.  Cards that have just been turned over turn on the page too, and the winner comes last, once.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const STEP_S = 0.8; // from one hand to the next; the stylesheet has the same
const DROPS = 14;

// What the page was drawn with is what its reader has seen first.
let faces = uncovered().faces;
let revealing = document.body.dataset.mood === "reveal";

// The slots whose cards lie open, and the cards.
function uncovered() {
  const slots = [...document.querySelectorAll(".seat .slot")].filter((slot) => slot.querySelector(".face") && !slot.querySelector(".peek"));
  const seen = slots.map((slot) => [slot.dataset.slot, slot.querySelector(".face").getAttribute("aria-label") ?? ""]);
  return { slots, faces: new Map(seen) };
}

// Called after the pieces of the page are in their places.
export function stage(state) {
  const { slots, faces: now } = uncovered();
  let fresh = 0;
  for (const slot of slots) {
    const key = slot.dataset.slot;
    const turned = revealing && faces.get(key) !== now.get(key);
    slot.classList.toggle("is-fresh", turned);
    // A whole hand at once, from a photograph, goes over card by card all the same.
    if (turned) slot.style.setProperty("--nth", String(fresh++));
  }
  faces = now;
  // Whoever opens the page when all is over sees how it stands; the show is for those who were there.
  if (state.view.result && revealing) celebrate(state.view.result.order.length);
  else if (!state.view.result) document.body.classList.remove("celebrating");
  revealing = state.view.revealing;
}

function celebrate(hands) {
  const winner = STEP_S * (hands - 1);
  document.body.style.setProperty("--winner-s", `${winner}s`);
  document.body.classList.add("celebrating");
  if (!calm.matches) rain(winner);
}

function rain(from) {
  const sky = document.createElement("div");
  sky.className = "rain";
  sky.setAttribute("aria-hidden", "true");
  for (let number = 0; number < DROPS; number += 1) {
    const drop = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drop.setAttribute("viewBox", "0 0 32 32");
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "use");
    shape.setAttribute("href", `#suit-${"shdc"[number % 4]}`);
    drop.append(shape);
    drop.style.left = `${(100 * (number + 0.5)) / DROPS}%`;
    drop.style.animationDelay = `${from + ((number * 5) % DROPS) * 0.14}s`;
    sky.append(drop);
  }
  document.body.append(sky);
  sky.lastElementChild.addEventListener("animationend", () => setTimeout(() => sky.remove(), 3000));
}
