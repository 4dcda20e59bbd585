// From other pages to the one where the cards of a virtual table are moved: this screen takes a link for it, as a phone would.

document.addEventListener("click", async (event) => {
  const way = event.target.closest("[data-play]");
  if (!way) return;
  event.preventDefault();
  const answer = await fetch("/puppet/link", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  if (answer.ok) location.assign(`/join#${(await answer.json()).token}`);
});
