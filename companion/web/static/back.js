// After a sleep the page shows the newest state at once; what happened in between it does not replay, so it says that it was away.

const SHOWN_MS = 8000;
const line = document.getElementById("back");
let hiding = 0;

export function sayBack() {
  if (!line) return;
  clearTimeout(hiding);
  line.hidden = false;
  line.textContent = line.dataset.words;
  hiding = setTimeout(() => {
    line.hidden = true;
    line.textContent = "";
  }, SHOWN_MS);
}
