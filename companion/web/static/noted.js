// What to note down of the record; asked for when the menu is opened, since it changes with every move.

const menu = document.querySelector("details.menu");
const shown = document.getElementById("noted");

async function ask() {
  try {
    const answer = await fetch("/noted", { cache: "no-store" });
    shown.textContent = answer.ok ? (await answer.json()).words : "";
  } catch {
    shown.textContent = "";
  }
}

if (menu && shown) menu.addEventListener("toggle", () => menu.open && ask());
