// Two dialogs: picking a move step by step, and entering a card.

import { picture } from "./pictures.js";
import { post, tell } from "./post.js";

const choose = document.getElementById("choose");
const enter = document.getElementById("enter");
let seat = null;
let offers = [];
let turn = 0; // when they were offered
let taken = [];
let place = null;
let route = "/enter";
const amount = choose.querySelector(".amount");
const typed = amount.querySelector("[type=number]");
const slid = amount.querySelector("[type=range]");
const main = amount.querySelector(".main");
let sized = null;

function next(steps) {
  return offers.filter((offer) => steps.every((step, i) => offer.steps[i] === step));
}

// Draws the answers to the next step.
function draw() {
  const left = next(taken);
  const answers = [...new Set(left.map((offer) => offer.steps[taken.length]))];
  choose.querySelector(".trail").textContent = taken.join(" · ");
  choose.querySelector(".back").hidden = taken.length === 0;
  amount.hidden = true;
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
  if (left.length === 1 && left[0].steps.length === taken.length && left[0].most) {
    askAmount(left[0]);
  } else if (left.length === 1 && left[0].steps.length === taken.length) {
    choose.close();
    await post("/act", { seat, turn, offer: left[0].id });
  } else {
    draw();
  }
}

// The last step of a bet of any size: how many chips, between the two that are allowed.
function askAmount(offer) {
  sized = offer;
  choose.querySelector(".trail").textContent = taken.join(" · ");
  choose.querySelector(".back").hidden = false;
  choose.querySelector(".choices").replaceChildren();
  for (const input of [typed, slid]) {
    input.min = offer.least;
    input.max = offer.most;
  }
  amount.querySelector(".marks").replaceChildren(
    ...offer.marks.map((mark) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = mark.words;
      button.addEventListener("click", () => setAmount(mark.amount));
      return button;
    }),
  );
  amount.hidden = false;
  setAmount(offer.least);
  typed.focus();
}

function setAmount(chips) {
  typed.value = Math.min(Math.max(chips, sized.least), sized.most);
  slid.value = typed.value;
  nameAmount();
}

function nameAmount() {
  main.textContent = `${taken.at(-1).replace("…", "").trim()} ${typed.value}`;
  main.disabled = !typed.checkValidity() || typed.value === "";
}

async function sendAmount() {
  if (main.disabled) return;
  choose.close();
  await post("/act", { seat, turn, offer: sized.id, amount: Number(typed.value) });
}

typed.addEventListener("input", () => {
  if (typed.checkValidity()) slid.value = typed.value;
  nameAmount();
});
slid.addEventListener("input", () => setAmount(Number(slid.value)));
for (const step of amount.querySelectorAll("[data-by]")) {
  step.addEventListener("click", () => setAmount(Math.round(Number(typed.value)) + Number(step.dataset.by)));
}
typed.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // else the form's first button goes back
  sendAmount();
});
main.addEventListener("click", sendAmount);

// What a seat may do now; with `offer` only how many chips that one takes is asked.
export async function offerMoves(number, offer = null) {
  try {
    const answer = await fetch(`/offers/${number}`, { cache: "no-store" });
    const found = await answer.json();
    if (!answer.ok) return tell(found.message);
    seat = number;
    offers = found.offers;
    turn = found.turn;
    taken = [];
    document.getElementById("choose-title").textContent = found.name;
    const chosen = offers.find(({ id, most }) => id === offer && most);
    if (chosen) taken = [...chosen.steps];
    else draw();
    if (!choose.open) choose.showModal();
    if (chosen) askAmount(chosen);
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
