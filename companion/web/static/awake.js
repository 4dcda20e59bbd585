// Keeps the screen on while the table is shown: with a wake lock where the page is secure; on plain HTTP, where there is none, with a
// small film without picture or sound, which many tablets do not turn off under; and where neither works, by saying what does.

const FILM = new URL("./awake.mp4", import.meta.url);
const box = document.getElementById("awake");
const button = box?.querySelector("button");
const how = box?.querySelector(".how");
let lock = null;
let film = null;

function wanted() {
  return localStorage.getItem("awake") === "on";
}

function tell(means) {
  button.setAttribute("aria-pressed", String(means === "lock" || means === "film"));
  box.dataset.means = means;
  how.textContent = how.dataset[means] ?? "";
}

// Throws where the browser has none, or does not give it now (such as on a low battery).
async function takeLock() {
  if (lock && !lock.released) return;
  lock = await navigator.wakeLock.request("screen");
}

async function playFilm() {
  if (!film) {
    film = document.createElement("video");
    film.src = FILM;
    film.loop = true;
    film.playsInline = true;
    film.setAttribute("aria-hidden", "true");
    film.tabIndex = -1;
    film.className = "awake-film";
    document.body.append(film);
  }
  await film.play();
}

async function keep() {
  try {
    if ("wakeLock" in navigator) {
      await takeLock();
      tell("lock");
      return;
    }
    await playFilm();
    tell("film");
  } catch (error) {
    // A film begins by a tap alone: after the page was opened anew the next tap anywhere is good for it.
    const early = film && error.name === "NotAllowedError" && !navigator.userActivation?.isActive;
    tell(early ? "waits" : "failed");
  }
}

async function rest() {
  film?.pause();
  film?.remove();
  film = null;
  await lock?.release();
  lock = null;
  tell("off");
}

// A lock ends whenever the page is not seen, and a film may be stopped by the system.
function again() {
  if (document.visibilityState === "visible" && wanted()) keep();
}

function withTap() {
  if (box.dataset.means === "waits") keep();
}

if (box) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    localStorage.setItem("awake", on ? "on" : "off");
    if (on) keep();
    else rest();
  });
  document.addEventListener("visibilitychange", again);
  addEventListener("pageshow", again);
  document.addEventListener("click", withTap);
  again();
}
