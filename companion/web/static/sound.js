// Voice and tones of this screen: how much it says is kept for this browser alone.  Silent until somebody wants it otherwise.

import { news, Voice } from "./speech.js";
import { sound, wake } from "./tones.js";

const KEPT = "voice";
const panel = document.getElementById("voice");
const unlock = document.getElementById("unlock");
const voice = Voice.there() ? new Voice(document.documentElement.lang) : null;
const wanted = { level: "off", volume: 80, ...kept() };
let before = null;
let sounding = new Set();
let touched = false;

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    return {
      ...(["off", "needed", "all"].includes(found.level) ? { level: found.level } : {}),
      ...(found.volume >= 0 && found.volume <= 100 ? { volume: Number(found.volume) } : {}),
    };
  } catch {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(wanted));
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
  }
}

// What is to be said of a state at the level that is wanted.
function heard(lines) {
  return lines.filter((line) => wanted.level === "all" || line.needed);
}

export function hear(state) {
  const now = { moves: state.speech.moves, lines: state.speech.lines };
  const fresh = heard(news(before, now));
  const begins = state.sounds.find((name) => !sounding.has(name));
  const first = before === null;
  before = now;
  sounding = new Set(state.sounds);
  voice?.keep(now.lines);
  if (wanted.level === "off" || first || document.hidden) return;
  if (begins) sound(begins, wanted.volume / 100);
  voice?.say(fresh);
}

function set() {
  if (voice) voice.volume = wanted.volume / 100;
  if (wanted.level === "off") voice?.hush();
  unlock.hidden = wanted.level === "off" || isTouched();
  const lacking = panel.querySelector(".lacking");
  lacking.textContent = !voice ? lacking.dataset.mute : voice.speaks() === false ? lacking.dataset.foreign : "";
  lacking.hidden = !lacking.textContent || wanted.level === "off";
}

function isTouched() {
  return touched || navigator.userActivation?.hasBeenActive === true;
}

function touch() {
  touched = true;
  if (wanted.level !== "off") wake();
}

function sayNow() {
  voice?.hush();
  const lines = before?.lines ?? [];
  voice?.say(lines.filter((line) => line.needed));
}

if (panel) {
  for (const choice of panel.querySelectorAll("[name=voice]")) {
    choice.checked = choice.value === wanted.level;
    choice.addEventListener("change", () => {
      wanted.level = choice.value;
      keep();
      set();
      if (wanted.level === "off") return;
      wake();
      sayNow(); // within the touch: some browsers let a page speak only from then on
    });
  }
  const volume = panel.querySelector("[type=range]");
  volume.value = wanted.volume;
  volume.addEventListener("input", () => {
    wanted.volume = Number(volume.value);
    keep();
    set();
  });
  panel.querySelector(".try").addEventListener("click", () => {
    wake();
    sayNow();
  });
  unlock.addEventListener("click", sayNow);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touch, true);
  addEventListener("click", () => { unlock.hidden = true; }); // not sooner, or the button would be gone from under the finger
  // A page that nobody looks at is silent; what has happened meanwhile is on it, and is not told afterwards.
  document.addEventListener("visibilitychange", () => document.hidden && voice?.hush());
  if (voice) speechSynthesis.addEventListener?.("voiceschanged", set);
  set();
}
