// Sends the settings file's text to be checked or saved, and goes to the table when that has started.

import { tell } from "./post.js";

const AGAIN_MS = 700;
const text = document.getElementById("text");
const faults = document.getElementById("faults");
const buttons = [...document.querySelectorAll("#save, #check")];
const lost = document.getElementById("lost");

function busy(is) {
  for (const button of buttons) button.disabled = is;
}

async function send(save) {
  busy(true);
  tell("");
  lost.hidden = true;
  try {
    const answer = await fetch(`/settings?mark=${text.dataset.mark}${save ? "&save=1" : ""}`, {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: text.value,
    });
    const said = await answer.json();
    if (said.html !== undefined) faults.innerHTML = said.html;
    else if (!said.saved) tell(said.message);
    if (said.saved) {
      faults.replaceChildren(Object.assign(document.createElement("p"), { className: "well", textContent: said.message }));
      await started();
      return;
    }
  } catch {
    lost.hidden = false;
  }
  busy(false);
}

// The server is away for a moment, and then another page stands at the table's address.
async function started() {
  for (;;) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    try {
      const answer = await fetch("/", { cache: "no-store" });
      if (answer.ok && !answer.redirected) return location.assign("/");
      if (answer.redirected && !answer.url.endsWith("/settings")) return location.assign(answer.url);
    } catch {
      // Not yet.
    }
  }
}

function go(line) {
  const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const end = text.value.indexOf("\n", before);
  text.focus();
  text.setSelectionRange(before, end < 0 ? text.value.length : end);
  text.scrollTop = (line - 4) * parseFloat(getComputedStyle(text).lineHeight);
}

faults.addEventListener("click", ({ target }) => {
  const line = target.closest("[data-line]")?.dataset.line;
  if (line && text) go(Number(line));
});
document.getElementById("save")?.addEventListener("click", () => send(true));
document.getElementById("check")?.addEventListener("click", () => send(false));
busy(false);
