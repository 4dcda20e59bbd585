// Draws the tables anew, and rings when one needs somebody: once for each reason.
const tables = document.getElementById("tables");
const ring = document.getElementById("ring");
const title = document.title;
const EVERY_MS = 2000;
let told = new Set();

ring.addEventListener("change", () => {
  if (ring.checked && "Notification" in window && Notification.permission === "default") Notification.requestPermission();
});

function needs() {
  return [...tables.querySelectorAll("[data-needs]")].map(one => one.dataset.needs);
}

function call(what) {
  if (!ring.checked) return;
  navigator.vibrate?.([300, 150, 300]);
  if ("Notification" in window && Notification.permission === "granted") new Notification(what);
}

async function look() {
  try {
    const answer = await fetch("/tables");
    if (answer.ok) {
      const html = await answer.text();
      if (html !== look.last) tables.innerHTML = look.last = html;
    }
  } catch { /* The next look may succeed. */ }
  const now = needs();
  for (const what of now) if (!told.has(what)) call(what);
  told = new Set(now);
  document.title = now.length ? `(${now.length}) ${title}` : title;
  setTimeout(look, EVERY_MS);
}

look();
