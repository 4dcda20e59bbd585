// The setup wizard: sends what is chosen, and puts the step that the server draws in place.

import { tell } from "./post.js";

const LOOK_MS = 700;
const TWICE_MS = 400;
const TWICE_PX = 12;
const step = document.getElementById("step");
const lost = document.getElementById("lost");
const page = Math.random().toString(36).slice(2);
let drawn = step.innerHTML;
let waiting = 0;
let sends = 0;
let last = Promise.resolve(true);
let leaving = false;
let placing = false;
let tapped = null;

// One after another: an answer that came late would put an older step over a newer one.  Tells whether it arrived.
function send(body, quiet = false) {
  if (waiting && quiet) return last;
  waiting += 1;
  sends += 1;
  const marked = quiet ? body : { ...body, mark: `${page}-${sends}` };
  last = last.then(() => sent(marked, quiet)).finally(() => { waiting -= 1; });
  return last;
}

async function sent(body, quiet) {
  const answer = await arrived(body, quiet || body.do === "begin");
  if (!answer || leaving) return false;
  try {
    const said = await answer.json();
    lost.hidden = true;
    if (said.error === "setup_gone") go("/setup");
    else if (said.go) go(said.go);
    else if (said.html) place(said.html, quiet);
    if (!quiet) tell(said.message ?? "");
    return true;
  } catch {
    lost.hidden = false;
    for (const field of step.querySelectorAll("[data-sent]")) delete field.dataset.sent; // nobody knows what became of it
    return false;
  }
}

// The answer.  What was chosen or typed is sent until it arrives, and whatever was tapped after it waits; what can only be meant
// now is sent once.
async function arrived(body, once) {
  while (!leaving) {
    try {
      return await fetch(location.pathname, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    } catch {
      lost.hidden = false;
      if (once) return null;
      await new Promise((wake) => { setTimeout(wake, LOOK_MS); });
    }
  }
  return null;
}

// Nothing that is still to be sent, and no later answer, leads anywhere else.
function go(where) {
  if (leaving) return;
  leaving = true;
  location.assign(where);
}

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// What a field holds that was not sent yet.
function isUnsent(field) {
  return field.value !== (field.dataset.sent ?? field.dataset.who ?? "");
}

const fields = () => [...step.querySelectorAll("input[id]:not([type=radio], [type=checkbox])")];

// The same field in the step as it is drawn now: that of the same person, wherever he sits and whatever he is called by now.
function again({ id, dataset: { who, sent: named } }) {
  if (who === undefined) return document.getElementById(id);
  const of = (name) => step.querySelector(`[data-who="${CSS.escape(name)}"]`);
  return of(who) ?? (named === undefined ? null : of(named.trim().replace(/\s+/g, " ")));
}

// What is typed and not sent yet stays, and so does the place of whoever uses the keyboard.
function place(html, quiet) {
  if (html === drawn) {
    if (!quiet) for (const pick of step.querySelectorAll("input[type=radio]")) pick.checked = pick.defaultChecked;
    return;
  }
  const held = document.activeElement?.id ? document.activeElement : null;
  const typing = quiet && held?.tagName === "INPUT" && held.type !== "radio";
  if (typing) return;
  const kept = fields().filter(isUnsent);
  const [from, to] = [held?.selectionStart, held?.selectionEnd];
  drawn = html;
  placing = true; // a browser calls it a change that the field in which somebody types is taken away
  step.innerHTML = html;
  placing = false;
  for (const old of kept) {
    const field = again(old);
    if (!field) continue;
    field.value = old.value;
    field.dataset.kept = "1";
  }
  const wrong = step.querySelector("[aria-invalid]");
  if (wrong && !quiet) {
    wrong.focus();
    return;
  }
  const next = held && again(held);
  if (next && !next.disabled) {
    next.focus();
    if (typeof from === "number") next.setSelectionRange(from, to);
  } else if (held && !quiet) (step.querySelector("#name") ?? step.querySelector("#begin") ?? step.querySelector("h1")).focus();
}

// Where the first of two taps has been answered already, something else lies under the second one, which nobody can have meant.
function isSecond(event) {
  if (event.detail > 1) return true;
  const finger = event.pointerType === "touch" || event.pointerType === "pen";
  return finger && event.timeStamp - tapped.at < TWICE_MS && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < TWICE_PX;
}

step.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  const second = tapped && isSecond(event);
  const what = second ? tapped.what : button && JSON.parse(button.dataset.do);
  tapped = { at: event.timeStamp, x: event.clientX, y: event.clientY, what };
  // Twice the arrow moves the same person twice; everything else is done once.
  if (button && what && (!second || what.do === "move")) send(what);
});

function rename(field) {
  field.dataset.sent = field.value;
  send({ do: "rename", seat: Number(field.dataset.rename), who: field.dataset.who, name: field.value });
}

function seat(field, what) {
  field.dataset.sent = field.value;
  send({ do: what, name: field.value });
}

step.addEventListener("change", (event) => {
  const field = event.target;
  if (placing) return;
  if (field.dataset.do) send(JSON.parse(field.dataset.do));
  else if (field.dataset.rename) rename(field);
});

// To a browser what was kept is no change of the new field.
step.addEventListener("focusout", ({ target: field }) => {
  if (!placing && field.dataset.rename && field.dataset.kept && isUnsent(field)) rename(field);
});

step.addEventListener("submit", (event) => {
  event.preventDefault();
  seat(event.target.elements.name, event.target.dataset.form);
});

// What was chosen just now, and a name that was typed and not taken yet, come along to the next step; nobody gets there before.
step.addEventListener("click", async (event) => {
  const link = event.target.closest("nav a:not(.leave)");
  if (!link) return;
  const typed = fields().filter((field) => isUnsent(field) && (field.dataset.rename || field.value.trim()));
  if (!typed.length && !waiting) return;
  event.preventDefault();
  for (const field of typed) {
    if (field.dataset.rename) rename(field);
    else seat(field, "add");
  }
  let came = true;
  while (waiting) came = await last;
  if (came && !step.querySelector("[aria-invalid]")) go(link.href);
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
