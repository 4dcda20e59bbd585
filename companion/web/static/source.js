// Where the states of the table come from: one stream for all pages of this browser where it has shared workers, and otherwise
// one for each page that is looked at.  A browser opens six connections to one machine at the most; six pages with a stream each
// would leave none for a tap.

// `told`: message(text), beat(), lost() while the browser tries again by itself, gone() where the server has no stream to give.
export function open(address, visitor, told) {
  return "SharedWorker" in window ? shared(address, visitor, told) : own(address, told);
}

function own(address, told) {
  let source = null;
  function begin() {
    source = new EventSource(address);
    source.addEventListener("message", (event) => told.message(event.data));
    source.addEventListener("beat", () => told.beat());
    source.addEventListener("error", () => (source.readyState === EventSource.CLOSED ? told.gone() : told.lost()));
  }
  // What nobody looks at needs no connection.
  function look() {
    if (document.hidden) source.close();
    else if (source.readyState === EventSource.CLOSED) begin();
  }
  begin();
  document.addEventListener("visibilitychange", look);
  return {
    close() {
      document.removeEventListener("visibilitychange", look);
      source.close();
    },
  };
}

const SHARED = new URL("./sharing.js", import.meta.url);
const ALIVE_MS = 10000;

function shared(address, visitor, told) {
  const worker = new SharedWorker(SHARED, "viewmat");
  const port = worker.port;
  let instead = null;
  port.onmessage = ({ data }) => told[data.what](data.text);
  // Another visitor is told another story: each has a stream of its own.
  port.postMessage({ open: address, key: `${address}|${visitor}` });
  const alive = setInterval(() => port.postMessage({ alive: true }), ALIVE_MS);
  function leave() {
    clearInterval(alive);
    removeEventListener("pagehide", leave);
    port.postMessage({ close: true });
    port.close();
  }
  addEventListener("pagehide", leave); // a page that is kept for the way back opens another one when it is shown again
  worker.onerror = () => {
    leave();
    instead ??= own(address, told);
  };
  return {
    close() {
      leave();
      instead?.close();
    },
  };
}
