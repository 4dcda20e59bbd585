// History: deleting what is kept of a player, and restoring a backup that comes in piece by piece.

import { send, tell } from "./post.js";

const PIECE = 48 * 1024;

function forgetting(form) {
  const sure = form.querySelector(".sure");
  form.querySelector(".first").addEventListener("click", (event) => {
    event.target.hidden = true;
    sure.hidden = false;
    sure.focus();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    sure.disabled = true;
    const keep = form.elements.keep.value === "yes";
    const said = await send("/history/delete", { name: form.dataset.name, mark: form.dataset.mark, keep });
    sure.disabled = false;
    if (!said) return;
    form.querySelector(".said").textContent = said.message;
    setTimeout(() => location.assign("/history"), 1500);
  });
}

async function bringIn(file, progress) {
  for (let at = 0; at < file.size; at += PIECE) {
    const answer = await fetch(`/history/restore/piece?at=${at}`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file.slice(at, at + PIECE),
    });
    if (!answer.ok) {
      tell((await answer.json()).message);
      return false;
    }
    progress.value = Math.min(1, (at + PIECE) / file.size);
  }
  return true;
}

function restoring(form) {
  const part = (name) => form.querySelector(name);
  const [plan, keep, write, coming] = [".plan", ".keep", ".write", ".coming"].map(part);

  function show(said) {
    plan.replaceChildren(...(said?.lines ?? []).map((line) => {
      const told = document.createElement("p");
      told.textContent = line;
      return told;
    }));
    keep.hidden = !said || said.done || !said.differs;
    write.hidden = !said || said.done || !said.new;
    write.disabled = Boolean(said?.differs) && !form.elements.keep.checked;
  }

  form.elements.file.addEventListener("change", () => show(null));
  form.elements.keep.addEventListener("change", () => { write.disabled = !form.elements.keep.checked; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = form.elements.file.files[0];
    if (!file || !coming.hidden) return;
    coming.hidden = false;
    form.elements.keep.checked = false;
    try {
      if (await bringIn(file, part("progress"))) show(await send("/history/restore", { write: false, keep: false }));
    } catch {
      tell(document.getElementById("lost").textContent);
    }
    coming.hidden = true;
  });
  write.addEventListener("click", async () => {
    write.disabled = true;
    const said = await send("/history/restore", { write: true, keep: form.elements.keep.checked });
    if (said) show(said);
    else write.disabled = false;
  });
}

const forget = document.getElementById("forget");
if (forget) forgetting(forget);
const restore = document.getElementById("restore");
if (restore) restoring(restore);
