// Sends a tap.  What the server refuses is said in the server's own words.

const shown = document.getElementById("refused");
let hiding = 0;
let pressed = null;

addEventListener("click", ({ target }) => {
  pressed = target.closest?.("button")?.getBoundingClientRect() ?? null;
}, true);

// The message must not lie over what was pressed: that is pressed again.
function covers(box) {
  return pressed && box.left < pressed.right && box.right > pressed.left && box.top < pressed.bottom && box.bottom > pressed.top;
}

function command(text) {
  return Object.assign(document.createElement("code"), { textContent: text });
}

export function tell(text) {
  clearTimeout(hiding);
  // Commands stand between backticks.
  shown.replaceChildren(...text.split("`").map((part, n) => (n % 2 ? command(part) : part)));
  shown.hidden = !text;
  shown.classList.remove("elsewhere");
  if (text && covers(shown.getBoundingClientRect())) shown.classList.add("elsewhere");
  if (text) hiding = setTimeout(() => tell(""), 8000);
}

// The server's answer, or null where it took nothing.  `asks` may turn a refusal into a question; what it asked is not said.
export async function send(path, body, asks = () => false) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok && asks(said)) return null;
    tell(answer.ok && !said.pending ? "" : said.message);
    return answer.ok ? said : null;
  } catch {
    tell(document.getElementById("lost").textContent);
    return null;
  }
}

export async function post(path, body) {
  return (await send(path, body)) !== null;
}
