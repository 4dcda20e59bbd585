// Follows the table.  The server sends the whole newest state each time, so nothing has to be caught up on:
// whatever broke (sleep, network, server), connecting again is enough.

const QUIET_MS = 25000; // the server says something at least every ten seconds
const AGAIN_MS = 2000;

export function follow({ stream, state, onState, onLink }) {
  let source = null;
  let heard = 0;
  let later = 0;

  function hear() {
    heard = Date.now();
    onLink(true);
  }

  function open() {
    clearTimeout(later);
    later = 0;
    if (source) source.close();
    heard = Date.now();
    source = new EventSource(stream);
    source.addEventListener("message", (event) => {
      hear();
      onState(JSON.parse(event.data));
    });
    source.addEventListener("beat", hear);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) refused();
      else onLink(false); // the browser is trying again by itself
    });
  }

  // The server has no stream to give (or is away): ask for the state itself, and try again a little later.
  async function refused() {
    if (later) return;
    later = setTimeout(open, AGAIN_MS);
    try {
      const answer = await fetch(state, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      onState(await answer.json());
      onLink(true);
    } catch {
      onLink(false);
    }
  }

  function wake(patience) {
    if (document.visibilityState === "visible" && Date.now() - heard > patience && !later) open();
  }

  document.addEventListener("visibilitychange", () => wake(12000));
  window.addEventListener("pageshow", () => wake(12000));
  window.addEventListener("online", () => wake(0));
  setInterval(() => wake(QUIET_MS), 5000);
  open();
}
