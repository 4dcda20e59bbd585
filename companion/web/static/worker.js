// The app's worker: where the table does not answer, a page says so.  It keeps that page, its looks and its script, and nothing else:
// no state, no card, no answer of the table ever goes into a cache.

const KEPT = "viewmat-shell-1";
const SHELL = ["/offline", "/static/bench.css", "/static/install.css", "/static/offline.js", "/static/icon.svg"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" })))));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
      await clients.claim();
    })(),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (SHELL.includes(path)) {
    // Pages ask for these with a version behind the question mark; only the page that is shown without the table lacks them.
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});
