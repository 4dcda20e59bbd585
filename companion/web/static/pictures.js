// A step of a move as a picture: the same as the macro `spot` of pictures.html draws.

const SVG = "http://www.w3.org/2000/svg";

function sign(id, name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("class", name);
  svg.append(document.createElementNS(SVG, "use"));
  svg.firstChild.setAttribute("href", `#${id}`);
  return svg;
}

export function picture(place) {
  const [kind, seat, slot] = place.split("-");
  const shown = document.createElement("span");
  shown.className = "pics";
  shown.setAttribute("aria-hidden", "true");
  if (seat === undefined) {
    if (document.getElementById(`pic-${kind}`)) shown.append(sign(`pic-${kind}`, "icon"));
    return shown;
  }
  shown.append(sign(`emblem-${seat}`, `emblem emblem-${seat}`));
  if (slot !== undefined) {
    const strip = document.createElement("span");
    strip.className = "strip";
    for (let number = 1; number <= 5; number += 1) {
      strip.append(document.createElement("i"));
      strip.lastChild.classList.toggle("on", number === Number(slot));
    }
    shown.append(strip);
  }
  return shown;
}
