// A shared worker: holds one stream for each kind of visitor, and tells every page of this browser what comes.

const QUIET_MS = 25000; // the server says something at least every ten seconds
const LEFT_MS = 150000; // pages in the background are let run once a minute only
const streams = new Map(); // key -> {address, source, ports, last, lost, heard}
const pages = new Map(); // port -> {key, heard}

function tell(stream, what, text) {
  for (const port of stream.ports) port.postMessage({ what, text });
}

function begin(key, address) {
  const stream = { address, ports: new Set(), last: null, lost: false, heard: Date.now(), source: null };
  streams.set(key, stream);
  listen(key, stream);
  return stream;
}

function listen(key, stream) {
  const source = new EventSource(stream.address);
  stream.source = source;
  stream.heard = Date.now();
  source.addEventListener("message", (event) => {
    stream.heard = Date.now();
    stream.lost = false;
    stream.last = event.data;
    tell(stream, "message", event.data);
  });
  source.addEventListener("beat", () => {
    stream.heard = Date.now();
    stream.lost = false;
    tell(stream, "beat");
  });
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) {
      stream.lost = true;
      tell(stream, "lost");
      return;
    }
    // Refused: each page asks again by itself a little later, and the first one begins anew.
    streams.delete(key);
    tell(stream, "gone");
  });
}

function leave(port) {
  const page = pages.get(port);
  if (!page) return;
  pages.delete(port);
  const stream = streams.get(page.key);
  if (!stream) return;
  stream.ports.delete(port);
  if (stream.ports.size) return;
  stream.source.close();
  streams.delete(page.key);
}

function join(port, key, address) {
  leave(port);
  let stream = streams.get(key);
  if (stream && Date.now() - stream.heard > QUIET_MS) {
    // Asleep in the meantime: nobody knows whether the other end is still there.
    stream.source.close();
    listen(key, stream);
    stream.last = null;
  }
  stream ??= begin(key, address);
  stream.ports.add(port);
  pages.set(port, { key, heard: Date.now() });
  if (stream.last !== null) port.postMessage({ what: "message", text: stream.last });
  if (stream.lost) port.postMessage({ what: "lost" }); // what is shown must not look live
}

onconnect = (event) => {
  const [port] = event.ports;
  port.onmessage = ({ data }) => {
    if (data.open) join(port, data.key, data.open);
    else if (data.close) leave(port);
    else if (pages.has(port)) pages.get(port).heard = Date.now();
  };
};

// A page that was killed does not say that it leaves.
setInterval(() => {
  for (const [port, page] of pages) if (Date.now() - page.heard > LEFT_MS) leave(port);
}, 30000);
