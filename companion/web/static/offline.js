// Looks whether the table is there again, and then goes where the page was meant to be.

const AGAIN_MS = 2000;

async function look() {
  try {
    const answer = await fetch("/state.json", { cache: "no-store" });
    if (answer.ok) {
      location.reload();
      return;
    }
  } catch {
    // Still away.
  }
  setTimeout(look, AGAIN_MS);
}

addEventListener("online", () => location.reload());
if (location.pathname !== "/offline") setTimeout(look, AGAIN_MS);
