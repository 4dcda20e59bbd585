// The setup wizard: sends what is chosen, and puts the step that the server draws in place.

import { tell } from "./post.js";

const LOOK_MS = 700;
const step = document.getElementById("step");
let drawn = step.innerHTML;
let waiting = 0;
let last = Promise.resolve();

// One after another: an answer that came late would put an older step over a newer one.
function send(body, quiet = false) {
  if (waiting && quiet) return last;
  waiting += 1;
  last = last.then(() => sent(body, quiet)).finally(() => { waiting -= 1; });
  return last;
}

async function sent(body, quiet) {
  try {
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    document.getElementById("lost").hidden = true;
    if (said.error === "setup_gone") location.assign("/setup");
    else if (said.go) location.assign(said.go);
    else if (said.html) place(said.html, quiet);
    if (!quiet) tell(said.message ?? "");
  } catch {
    document.getElementById("lost").hidden = false;
    for (const field of step.querySelectorAll("[data-sent]")) delete field.dataset.sent; // it never arrived
  }
}

// What is in the fields and was not sent yet, by the field's id.
function unsent() {
  const fields = [...step.querySelectorAll("input[id]:not([type=radio], [type=checkbox])")];
  return new Map(fields.filter((field) => field.value !== (field.dataset.sent ?? field.defaultValue)).map((field) => [field.id, field.value]));
}

// What is typed and not sent yet stays, and so does the place of whoever uses the keyboard.
function place(html, quiet) {
  if (html === drawn) return;
  const held = document.activeElement?.id;
  const typing = quiet && document.activeElement?.tagName === "INPUT" && document.activeElement.type !== "radio";
  if (typing) return;
  const kept = unsent();
  drawn = html;
  step.innerHTML = html;
  for (const [id, value] of kept) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  const wrong = step.querySelector("[aria-invalid]");
  if (wrong && !quiet) {
    wrong.focus();
    return;
  }
  const again = held && document.getElementById(held);
  if (again && !again.disabled) again.focus();
  else if (held && !quiet) (step.querySelector("#name") ?? step.querySelector("#begin") ?? step.querySelector("h1")).focus();
}

step.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) send(JSON.parse(button.dataset.do));
});

step.addEventListener("change", (event) => {
  const field = event.target;
  if (field.dataset.do) send(JSON.parse(field.dataset.do));
  else if (field.dataset.rename) {
    field.dataset.sent = field.value;
    send({ do: "rename", seat: Number(field.dataset.rename), name: field.value });
  }
});

step.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const field = form.elements.name;
  field.dataset.sent = field.value;
  send({ do: form.dataset.form, name: field.value });
});

// What was chosen just now, and a name that was typed and not taken yet, come along to the next step.
step.addEventListener("click", async (event) => {
  const link = event.target.closest("nav a");
  const name = document.getElementById("name")?.value.trim();
  if (!link || (!name && !waiting)) return;
  event.preventDefault();
  await (name ? send({ do: "add", name }) : last);
  if (!step.querySelector("[aria-invalid]")) location.assign(link.href);
});

// While lamps are lent, presses awaited or cameras looked through, the server is asked again and again.
async function look() {
  const of = step.querySelector("[data-look]")?.dataset.look;
  if (of && !document.hidden) {
    await send({ do: "look", of }, true);
    for (const picture of step.querySelectorAll("img[data-live]")) renew(picture);
  }
  setTimeout(look, LOOK_MS);
}

function renew(picture) {
  if (picture.dataset.coming) return;
  const fresh = new Image();
  picture.dataset.coming = "1";
  fresh.onload = () => { picture.src = fresh.src; delete picture.dataset.coming; };
  fresh.onerror = () => { delete picture.dataset.coming; };
  fresh.src = `${picture.getAttribute("src").split("?")[0]}?${Date.now()}`;
}

// What was chosen before this was listening.
for (const field of step.querySelectorAll("input[data-do]:checked")) {
  if (!field.defaultChecked) send(JSON.parse(field.dataset.do));
}
document.body.dataset.ready = "1";
look();
