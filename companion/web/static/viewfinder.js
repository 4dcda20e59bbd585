// What the cameras see: small pictures, one after the other, and only while somebody looks and something has changed.

const BETWEEN_MS = 350;
const rest = () => new Promise((later) => setTimeout(later, BETWEEN_MS));

// `counts()`: the cameras, and how many pictures each has taken.
export async function lookThrough(drawer, counts, cheating) {
  const shown = new Map();
  const figures = [...drawer.querySelectorAll("[data-camera]")];
  for (;;) {
    await rest();
    if (!drawer.open || document.hidden) continue;
    const taken = counts();
    for (const figure of figures) {
      const name = figure.dataset.camera;
      figure.hidden = !(name in taken);
      if (figure.hidden || shown.get(name) === taken[name]) continue;
      shown.set(name, taken[name]);
      const picture = figure.querySelector("img");
      picture.src = `/puppet/camera.jpg?of=${name}&n=${taken[name]}${cheating() ? "&all=1" : ""}`;
      await picture.decode().catch(() => {});
    }
  }
}
