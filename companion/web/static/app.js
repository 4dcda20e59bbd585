// On the secure page: a worker that has a page to show while the table is away.  Without it everything works the same.

if ("serviceWorker" in navigator && location.protocol === "https:") {
  navigator.serviceWorker.register("/worker.js").catch(() => {});
}
