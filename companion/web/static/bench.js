// Follows a task at the workbench: asks for its state, writes what to do, and sends the three deeds.

import { post } from "./post.js";

const kind = document.body.dataset.kind;
const part = (id) => document.getElementById(id);

function show(view) {
  part("words").textContent = view.words;
  part("progress").max = view.total;
  part("progress").value = view.done;
  part("count").textContent = `${view.done} / ${view.total}`;
  part("start").hidden = view.running;
  part("stop").hidden = !view.running;
  part("confirm").hidden = !view.asks;
  const list = part("noticed").querySelector("ul");
  list.replaceChildren(...view.remarks.map((remark) => {
    const item = document.createElement("li");
    item.className = remark.grade;
    item.textContent = [remark.where, remark.problem].filter(Boolean).join(": ") + (remark.advice ? ` – ${remark.advice}` : "");
    return item;
  }));
  part("noticed").hidden = view.remarks.length === 0;
  document.body.dataset.running = view.running;
  document.body.dataset.passed = view.passed ?? "";
}

async function follow() {
  try {
    const answer = await fetch(`/${kind}/state.json`, { cache: "no-store" });
    show(await answer.json());
    part("lost").hidden = true;
  } catch {
    part("lost").hidden = false;
  }
  setTimeout(follow, document.hidden ? 5000 : 700);
}

part("deeds").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = part("deeds").elements.name?.value ?? "";
  post(`/${kind}/start`, { name });
});
part("confirm").addEventListener("click", () => post(`/${kind}/confirm`, {}));
part("stop").addEventListener("click", () => post(`/${kind}/stop`, {}));
follow();
