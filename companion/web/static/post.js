// Sends a tap.  What the server refuses is said in the server's own words.

const shown = document.getElementById("refused");
let hiding = 0;

export function tell(text) {
  clearTimeout(hiding);
  shown.textContent = text;
  shown.hidden = !text;
  if (text) hiding = setTimeout(() => tell(""), 8000);
}

export async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    tell(answer.ok ? "" : (await answer.json()).message);
    return answer.ok;
  } catch {
    tell(document.getElementById("lost").textContent);
    return false;
  }
}
