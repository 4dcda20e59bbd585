// The language switch: what is chosen is kept for this browser, and the page is loaded anew in it.

const YEAR_S = 31536000;

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-language]");
  if (!button) return;
  document.cookie = `viewmat-language=${button.dataset.language}; path=/; max-age=${YEAR_S}; samesite=lax`;
  location.reload();
});
