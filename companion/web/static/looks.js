// How this browser wants its pages to look.  Kept in a cookie: the server draws every page so from the start, and browsers that
// keep nothing else still keep this.  A browser that keeps nothing at all shows it until the page is left.

const COOKIE = "viewmat-looks";
const YEAR_S = 31536000;
const root = document.documentElement;
const panel = document.getElementById("looks");
const NAMES = ["suits", "facing", "words"];

function keep() {
  const value = NAMES.map((name) => `${name}-${root.dataset[name]}`).join(".");
  document.cookie = `${COOKIE}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

panel?.addEventListener("change", ({ target }) => {
  root.dataset[target.name] = target.value;
  document.getElementById("two-suits").media = root.dataset.suits === "two" ? "all" : "not all";
  keep();
  dispatchEvent(new Event("looks"));
});
