// Lets cards slide from where they lay to where they lie now.  A card is known by its number, whatever it shows.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const LONG_MS = 320;

export function places() {
  const found = new Map();
  for (const card of document.querySelectorAll("[data-piece]")) found.set(card.dataset.piece, card.getBoundingClientRect());
  return found;
}

// `before`: what `places` told before the table was drawn anew; cards that were not seen then come from `source`.
export function glide(before, source) {
  if (CALM.matches || before.size === 0) return;
  const from = source?.getBoundingClientRect();
  for (const card of document.querySelectorAll("[data-piece]")) {
    const old = before.get(card.dataset.piece) ?? from;
    const now = card.getBoundingClientRect();
    if (!old || now.width === 0) continue;
    const [x, y] = [old.left + old.width / 2 - now.left - now.width / 2, old.top + old.height / 2 - now.top - now.height / 2];
    if (Math.abs(x) + Math.abs(y) < 6) continue;
    card.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${old.width / now.width})` }, { transform: "none" }],
      { duration: LONG_MS, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" },
    );
  }
}
