// The live page: puts the pieces that the server sends in their places, and sends taps back.

import { drawArrows } from "./arrows.js";
import { sayBack } from "./back.js";
import { askCard, closeMoves, offerMoves } from "./choose.js";
import { face } from "./facing.js";
import { whenNoFingerIsDown } from "./hold.js";
import { showLink } from "./link.js";
import { post } from "./post.js";
import { stage } from "./reveal.js";
import { hear } from "./sound.js";
import { follow } from "./stream.js";

const drawn = new Map();
let acting = null;
let betting = null;

function place(id, html) {
  const element = document.getElementById(id);
  if (!element || drawn.get(id) === html) return;
  drawn.set(id, html);
  const held = element.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  element.innerHTML = html;
  if (held) [...element.querySelectorAll("button")].find((button) => keyOf(button) === held)?.focus();
}

function keyOf(button) {
  const { post: path, body, offers, offer, enter, own, correct, link } = button.dataset;
  return [path, body, offers, offer, enter, own, correct, link].join("|");
}

// Whoever may bet sees his buttons without looking for them; where he scrolls to afterwards is his own affair.
function showBets() {
  const bets = document.querySelector(".bets");
  const seat = bets?.closest(".seat").id ?? null;
  if (bets && seat !== betting) bets.scrollIntoView({ block: "nearest" });
  betting = seat;
}

function show(state) {
  const there = [...document.querySelectorAll(".seat")].map((seat) => seat.getAttribute("aria-label"));
  if (state.view.seats.map((seat) => seat.name).join("\n") !== there.join("\n")) {
    location.reload(); // another game, laid for other players
    return;
  }
  if (state.build !== document.body.dataset.build && sessionStorage.getItem("build") !== state.build) {
    sessionStorage.setItem("build", state.build); // once only: an old copy in a cache must not reload for ever
    location.reload();
    return;
  }
  if (state.role !== document.body.dataset.role && sessionStorage.getItem("role") !== state.role) {
    sessionStorage.setItem("role", state.role);
    // This screen has joined, or was signed off elsewhere.  Going there anew sends the cookie, which a reload may not.
    location.replace("/");
    return;
  }
  sessionStorage.removeItem("role");
  if (state.language !== document.documentElement.lang && sessionStorage.getItem("language") !== state.language) {
    sessionStorage.setItem("language", state.language);
    location.reload(); // another page of this browser has chosen another language
    return;
  }
  if (state.language === document.documentElement.lang) sessionStorage.removeItem("language");
  if (acting !== state.view.current) closeMoves();
  acting = state.view.current;
  document.body.dataset.mood = state.mood;
  document.body.dataset.version = state.version;
  for (const [id, html] of Object.entries(state.parts)) place(id, html);
  showBets();
  stage(state);
  face(state.view.current);
  drawArrows(state.trail);
  hear(state);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.post) {
    button.disabled = true;
    const taken = await post(button.dataset.post, JSON.parse(button.dataset.body));
    button.disabled = false;
    if (taken && button.dataset.then) location.replace(button.dataset.then);
    button.closest("details")?.removeAttribute("open");
    button.closest("dialog")?.close();
  } else if (button.dataset.offers) {
    await offerMoves(Number(button.dataset.offers), "offer" in button.dataset ? Number(button.dataset.offer) : null);
  } else if (button.dataset.link) {
    button.closest("details")?.removeAttribute("open");
    await showLink(Number(button.dataset.link));
  } else if (button.dataset.ask) {
    button.closest("details")?.removeAttribute("open");
    document.getElementById(`ask-${button.dataset.ask}`).showModal();
  } else if (button.dataset.enter) {
    askCard(button.dataset.enter, button.dataset.asks, "/enter");
  } else if (button.dataset.own) {
    askCard(button.dataset.own, button.dataset.asks, "/own");
  } else if (button.dataset.correct) {
    askCard(button.dataset.correct, button.dataset.asks, "/correct");
  }
});

follow({
  stream: `/events?language=${document.documentElement.lang}`,
  state: `/state.json?language=${document.documentElement.lang}`,
  visitor: `${document.body.dataset.role}|${document.documentElement.lang}|${document.body.dataset.build}`,
  onState: whenNoFingerIsDown(show), // a button redrawn under a finger would lose the tap
  onLink: (there) => {
    document.getElementById("lost").hidden = there;
    document.body.classList.toggle("stale", !there); // what is no longer followed must not look live
  },
  onBack: sayBack,
});
