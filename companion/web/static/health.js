// Keeps the figures fresh while somebody looks at them, and says how old they are.

import { send } from "./post.js";

const EVERY_MS = 5000;
const STALE_S = 15;
const part = (id) => document.getElementById(id);
let age = Number(document.body.dataset.age);
let since = Date.now(); // the clock of the wall: others stand still while a tablet sleeps
let waiting = 0;
let drawn = "";
let off = false;

function tick() {
  const seconds = age + (Date.now() - since) / 1000;
  const stale = seconds > STALE_S;
  part("age").querySelector("b").textContent = Math.round(seconds);
  document.body.classList.toggle("stale", stale || off);
  part("lost").hidden = !stale || off;
}

function show(state) {
  age = state.age;
  since = Date.now();
  if (drawn !== state.figures) part("figures").innerHTML = drawn = state.figures; // what is being read is not taken away
  if (part("summary").textContent !== state.summary) part("summary").textContent = state.summary;
  tick();
}

async function follow() {
  clearTimeout(waiting);
  if (document.hidden || off) return; // whoever does not look costs nothing
  try {
    const answer = await fetch("/health/state.json", { cache: "no-store" });
    if (answer.ok) show(await answer.json());
  } catch {
    tick(); // it says by itself when the figures have become old
  }
  clearTimeout(waiting);
  waiting = setTimeout(follow, EVERY_MS);
}

part("names").addEventListener("change", () => {
  part("bundle").href = "/health/bundle.zip" + (part("names").checked ? "?names=1" : "");
});
part("off-not")?.addEventListener("click", (event) => event.target.closest("details").removeAttribute("open"));
part("off")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  const said = await send("/health/off", { sure: true });
  event.target.disabled = false;
  if (!said) return;
  off = true;
  event.target.closest("details").remove();
  part("off-done").textContent = said.message;
  tick();
});

part("age").hidden = false;
part("names").parentElement.hidden = false;
part("names").checked = false;
document.addEventListener("visibilitychange", follow);
window.addEventListener("pageshow", follow);
window.addEventListener("online", follow);
setInterval(tick, 1000);
