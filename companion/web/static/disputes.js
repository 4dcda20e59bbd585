// The screen of a dispute: sends taps, and shows what the record says then.

import { post } from "./post.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-post]");
  if (!button) return;
  button.disabled = true;
  const taken = await post(button.dataset.post, JSON.parse(button.dataset.body));
  button.disabled = false;
  if (!taken) return;
  // What needs everybody's agreement is answered at the table's page.
  if (["/stop", "/rewind"].includes(button.dataset.post)) setTimeout(() => location.reload(), 400);
  else location.assign("/");
});

document.body.dataset.ready = "";
