// How a person takes hold of a card: by clicking it and then a place, by dragging, or by keys.  What then happens is the
// caller's: `moved(what, to)`; `told(text)` says something to who cannot see it; `pointed(to)` is told
// that somebody without a card points at an empty place, and is true where it makes something of that.

const FAR_PX = 8; // a finger that moves less has tapped

export function grasp({ moved, told, several, pointed }) {
  let picked = [];
  let drag = null;
  let dragged = false;

  const spotOf = (element) => element?.closest?.("[data-spot]") ?? null;
  const holds = (spot) => spot.querySelector("[data-piece]") !== null;

  function mark() {
    for (const spot of document.querySelectorAll("[data-spot]")) {
      const chosen = picked.includes(spot.dataset.spot);
      spot.setAttribute("aria-pressed", String(chosen));
    }
    document.body.classList.toggle("is-holding", picked.length > 0);
    document.dispatchEvent(new CustomEvent("picked", { detail: picked }));
  }

  function pick(names, words) {
    picked = names;
    mark();
    if (words) told(document.body.dataset.picked.replace("{what}", words));
  }

  function letGo() {
    if (picked.length) told(document.body.dataset.letGone);
    picked = [];
    mark();
  }

  // A place of the row stands for its end, and a card in a hand for that hand.
  function aim(target) {
    const name = target.dataset.spot ?? target.dataset.drop;
    if (name.startsWith("held-")) return target.closest(".seat").querySelector(".palm").dataset.spot;
    return name;
  }

  function lay(target) {
    const what = picked;
    picked = [];
    mark();
    moved(what, aim(target));
  }

  function choose(spot) {
    const name = spot.dataset.spot;
    if (picked.includes(name)) {
      // A card in the hand has no place to which it could fall back: it stays taken up until somebody lets it go in so many words.
      if (name.startsWith("held-") && picked.length === 1) return told(document.body.dataset.where);
      picked = picked.filter((one) => one !== name);
      if (picked.length === 0) return letGo();
      return mark();
    }
    if (several() && holds(spot)) return pick([...picked, name], spot.getAttribute("aria-label"));
    if (picked.length) return lay(spot);
    if (holds(spot)) return pick([name], spot.getAttribute("aria-label"));
    if (spot.classList.contains("palm") || !pointed(aim(spot))) told(spot.getAttribute("aria-label"));
  }

  document.addEventListener("click", (event) => {
    const spot = spotOf(event.target);
    if (dragged) {
      dragged = false;
      return;
    }
    if (spot) choose(spot);
  });

  // ---- dragging

  document.addEventListener("pointerdown", (event) => {
    const spot = spotOf(event.target);
    dragged = false;
    if (!spot || !holds(spot) || event.button !== 0) return;
    drag = { spot, x: event.clientX, y: event.clientY, ghost: null, over: null };
  });

  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_PX) return;
      begin();
    }
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-spot], [data-drop]") ?? null;
    if (over === drag.over) return;
    drag.over?.classList.remove("is-under");
    drag.over = over === drag.spot ? null : over;
    drag.over?.classList.add("is-under");
  });

  function begin() {
    const name = drag.spot.dataset.spot;
    if (!picked.includes(name)) pick([name]);
    const cards = drag.spot.querySelectorAll("[data-piece]");
    const card = cards[cards.length - 1];
    drag.ghost = document.createElement("div");
    drag.ghost.className = "ghost";
    drag.ghost.style.width = `${card.getBoundingClientRect().width}px`;
    const copy = card.cloneNode(true);
    delete copy.dataset.piece;
    drag.ghost.append(copy);
    document.body.append(drag.ghost);
    drag.spot.classList.add("is-dragged");
  }

  function end(event, taken) {
    if (!drag) return;
    const { spot, ghost, over } = drag;
    drag = null;
    spot.classList.remove("is-dragged");
    over?.classList.remove("is-under");
    if (!ghost) return;
    ghost.remove();
    dragged = event.type === "pointerup";
    setTimeout(() => (dragged = false), 0); // no click follows where the finger was let go over something else
    if (taken && over) lay(over);
    else letGo();
    document.dispatchEvent(new Event("let-go"));
  }

  window.addEventListener("pointerup", (event) => end(event, true));
  window.addEventListener("pointercancel", (event) => end(event, false));

  // ---- keys

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && picked.length) return letGo();
    const spot = spotOf(event.target);
    const way = WAYS[event.key];
    if (!spot || !way) return;
    event.preventDefault();
    next(spot, way)?.focus();
  });

  function next(spot, [x, y]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [left, top] = middle(spot);
    let best = null;
    let least = Infinity;
    for (const other of document.querySelectorAll("[data-spot]")) {
      if (other === spot || other.offsetParent === null) continue;
      const [a, b] = middle(other);
      const along = (a - left) * x + (b - top) * y;
      const aside = Math.abs((a - left) * y) + Math.abs((b - top) * x);
      if (along < 4 || aside > along * 3) continue;
      if (along + aside * 2 < least) [best, least] = [other, along + aside * 2];
    }
    return best;
  }

  return {
    pick,
    letGo,
    mark,
    get picked() {
      return picked;
    },
    get dragging() {
      return drag !== null;
    },
  };
}
