// The pages by which a screen gets a role: a scanned link, and the referee's.

import { send, tell } from "./post.js";

// The token of a link stands behind the "#", so it reaches the server in a request's body alone, and leaves the address bar.
async function join(status) {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  status.textContent = status.dataset.joining;
  const joined = await send("/join", { token });
  if (joined) location.replace(joined.role === "referee" ? "/referee" : joined.role === "puppeteer" ? "/strings" : "/");
  else status.textContent = "";
}

const status = document.getElementById("joining");
if (status) join(status);

for (const form of document.querySelectorAll("form[data-post]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(form));
    for (const field of form.querySelectorAll("[data-number]")) body[field.name] = Number(field.value);
    const done = await send(form.dataset.post + (event.submitter?.value ?? ""), body);
    if (form.querySelector("[type=password]")) form.reset();
    if (!done) return;
    if (form.dataset.then) location.replace(form.dataset.then);
    else tell(done.message ?? "");
  });
}
