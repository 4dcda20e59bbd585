// A link for a seat's phone.  It is asked for when it is wanted, shown once, and forgotten when the dialog closes.

import { send } from "./post.js";

const dialog = document.getElementById("link");
const code = dialog.querySelector("img");

export async function showLink(seat) {
  const made = await send("/link", { seat });
  if (!made) return;
  document.getElementById("link-title").textContent = made.words.link;
  dialog.querySelector(".lead").textContent = made.words.link_lead;
  dialog.querySelector(".note").textContent = made.words.link_note;
  dialog.querySelector(".address").textContent = made.link;
  code.src = made.picture;
  code.alt = made.words.link;
  code.hidden = false;
  dialog.showModal();
}

dialog.addEventListener("close", () => {
  code.removeAttribute("src");
  code.hidden = true;
  dialog.querySelector(".address").textContent = "";
});
