// The picture of the final table as a PNG: the server's drawing, painted on a canvas.  Nothing leaves this machine by itself.

const row = document.querySelector("[data-picture]");
const save = row.querySelector(".save");
const share = row.querySelector(".share");
const made = document.getElementById("made");
let file = null;

async function paint() {
  if (file) return file;
  const answer = await fetch(row.dataset.picture, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("no picture");
  file = new File([blob], `${row.dataset.file}.png`, { type: "image/png" });
  return file;
}

async function deed(what) {
  made.textContent = "";
  try {
    await what(await paint());
  } catch (error) {
    if (error.name !== "AbortError") made.textContent = made.dataset.not;
  }
}

function keep(picture) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = picture.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

save.hidden = false;
save.addEventListener("click", () => deed(keep));
// Browsers share files on secure pages alone; elsewhere the picture is saved.
const probe = new File([new Uint8Array(1)], "a.png", { type: "image/png" });
share.hidden = !navigator.canShare?.({ files: [probe] });
share.addEventListener("click", () => deed((picture) => navigator.share({ files: [picture], title: document.title })));
// Some browsers share only at once after the tap: then the picture has to be there already.
if (!share.hidden) paint().catch(() => {});
