// Two dialogs: picking a move step by step, and entering a card.

import { picture } from "./pictures.js";
import { post, tell } from "./post.js";

const choose = document.getElementById("choose");
const enter = document.getElementById("enter");
let seat = null;
let offers = [];
let taken = [];
let place = null;
let route = "/enter";

function next(steps) {
  return offers.filter((offer) => steps.every((step, i) => offer.steps[i] === step));
}

// Draws the answers to the next step.
function draw() {
  const left = next(taken);
  const answers = [...new Set(left.map((offer) => offer.steps[taken.length]))];
  choose.querySelector(".trail").textContent = taken.join(" · ");
  choose.querySelector(".back").hidden = taken.length === 0;
  choose.querySelector(".choices").replaceChildren(
    ...answers.map((answer) => {
      const button = document.createElement("button");
      button.type = "button";
      const said = document.createElement("span");
      said.className = "said";
      said.textContent = answer;
      const drawn = picture(left.find((offer) => offer.steps[taken.length] === answer).pictures[taken.length]);
      if (drawn.childElementCount) button.append(drawn, said);
      else button.textContent = answer; // without a picture the word has to do
      button.addEventListener("click", () => pick(answer));
      return button;
    }),
  );
  choose.querySelector(".choices button")?.focus();
}

async function pick(answer) {
  taken.push(answer);
  const left = next(taken);
  if (left.length === 1 && left[0].steps.length === taken.length) {
    choose.close();
    await post("/act", { seat, offer: left[0].id });
  } else {
    draw();
  }
}

export async function offerMoves(number) {
  try {
    const answer = await fetch(`/offers/${number}`, { cache: "no-store" });
    const found = await answer.json();
    if (!answer.ok) return tell(found.message);
    seat = number;
    offers = found.offers;
    taken = [];
    document.getElementById("choose-title").textContent = found.name;
    draw();
    if (!choose.open) choose.showModal();
  } catch {
    tell(document.getElementById("lost").textContent);
  }
}

export function closeMoves() {
  if (choose.open) choose.close();
}

// Asks for a card; what the reader takes it for stands first, one tap away.
export async function askCard(at, words, to) {
  route = to;
  const [area, number] = at.split(",");
  place = area === "row" ? { row: Number(number) } : { seat: Number(area), slot: Number(number) };
  enter.querySelector(".lead").textContent = words;
  for (const button of enter.querySelectorAll("[aria-pressed]")) button.setAttribute("aria-pressed", "false");
  const likely = enter.querySelector(".likely");
  likely.hidden = true;
  enter.showModal();
  try {
    const asked = place;
    // Of a hidden card, or one that is turned over where no camera looks, there is nothing to ask.
    const open = area === "row" || to === "/correct";
    const answer = open ? await fetch(`/likely?${new URLSearchParams(place)}`, { cache: "no-store" }) : null;
    const found = answer?.ok ? (await answer.json()).cards : [];
    if (asked !== place) return;
    likely.replaceChildren(
      ...found.map(({ card, words: name }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", () => send(card));
        return button;
      }),
    );
    likely.hidden = found.length === 0;
  } catch {
    // Without the list every card is still two taps away.
  }
}

async function send(card) {
  enter.close();
  await post(route, { ...place, card });
}

choose.querySelector(".back").addEventListener("click", () => {
  taken.pop();
  draw();
});

enter.addEventListener("click", async (event) => {
  const button = event.target.closest("[aria-pressed]");
  if (!button) return;
  for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button));
  const rank = enter.querySelector(".ranks [aria-pressed=true]");
  const suit = enter.querySelector(".suits [aria-pressed=true]");
  if (!rank || !suit) return;
  await send(rank.dataset.rank + suit.dataset.suit);
});
