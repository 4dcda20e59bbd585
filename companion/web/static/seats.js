// Taking a seat at the virtual table: the show ends, and a game begins that is played by hand.

import { post } from "./post.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-sit]");
  if (!button) return;
  const tutorial = button.dataset.tutorial !== undefined;
  // The page says that the game which runs ends.
  if (await post("/puppet/sit", { seats: JSON.parse(button.dataset.sit), tutorial, sure: true })) location.replace("/puppet");
});
