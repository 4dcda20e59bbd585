// Follows the table.  The server sends the whole newest state each time, so nothing has to be caught up on:
// whatever broke (sleep, network, server), connecting again is enough.

import { open as openSource } from "./source.js";

const QUIET_MS = 25000; // the server says something at least every ten seconds
const AGAIN_MS = 2000;
const AWAY_MS = 60000; // no busy network is silent for so long: the screen slept

// `visitor` names whose view it is, so that pages of one browser which are told the same share what is told.
export function follow({ stream, state, visitor, onState, onLink, onBack = () => {} }) {
  let source = null;
  let heard = 0;
  let later = 0;
  let told = 0; // when anything was last heard, whoever has tried since

  function hear() {
    heard = Date.now();
    const silent = told ? heard - told : 0;
    told = heard;
    onLink(true);
    if (silent > AWAY_MS) onBack();
  }

  function open() {
    clearTimeout(later);
    later = 0;
    if (source) source.close();
    heard = Date.now();
    source = openSource(stream, visitor, {
      message(text) {
        hear();
        onState(JSON.parse(text));
      },
      beat: hear,
      lost: () => onLink(false), // the browser is trying again by itself
      gone: refused,
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
      hear();
    } catch {
      onLink(false);
    }
  }

  function wake(patience) {
    if (document.visibilityState === "visible" && Date.now() - heard > patience && !later) open();
  }

  document.addEventListener("visibilitychange", () => wake(12000));
  window.addEventListener("pageshow", (event) => wake(event.persisted ? 0 : 12000)); // one that was kept has let go of its stream
  window.addEventListener("online", () => wake(0));
  setInterval(() => wake(QUIET_MS), 5000);
  open();
}
