// Arrows over the felt: the way of the cards in the last move, or of those that people still have to move.  They are drawn from
// the places as they lie on the page, so they are right at every size and however the page is turned.

const SVG = "http://www.w3.org/2000/svg";
const BEND = 0.26; // how far an arrow swings aside, as a part of its length: two ways between two places lie apart
const STEPS = 48;
const EDGE = 14; // nothing swings out over the edge of the table

const ground = document.querySelector(".ground");
const layer = document.getElementById("arrows");
let shown = { ways: [], state: "done" };

function find(name, goes) {
  if (name.startsWith("slot-")) return ground.querySelector(`[data-slot="${name.slice(5)}"] .card`);
  if (name !== "row") return ground.querySelector(`[data-place="${name}"] .card`);
  const newest = ground.querySelector('[data-place="row"]');
  return goes ? ground.querySelector('[data-place="row-next"]') ?? newest : newest;
}

// Where an element lies on the ground; unlike what the browser tells of the screen, it is the same however the page is turned.
function boxOf(element) {
  let [x, y] = [0, 0];
  for (let one = element; one && one !== ground; one = one.offsetParent) {
    x += one.offsetLeft + (one === element ? 0 : one.clientLeft);
    y += one.offsetTop + (one === element ? 0 : one.clientTop);
  }
  return { x, y, w: element.offsetWidth, h: element.offsetHeight };
}

function holds(box, [x, y], room) {
  return x > box.x - room && x < box.x + box.w + room && y > box.y - room && y < box.y + box.h + room;
}

// The points of an arrow from the edge of one box to the edge of the other.
function points(from, to) {
  const start = [from.x + from.w / 2, from.y + from.h / 2];
  const goal = [to.x + to.w / 2, to.y + to.h / 2];
  const [dx, dy] = [goal[0] - start[0], goal[1] - start[1]];
  const size = [ground.offsetWidth, ground.offsetHeight];
  const aside = [-2 * BEND * dy, 2 * BEND * dx];
  // The curve comes half as near to its middle point as that lies away.
  const middle = [0, 1].map((axis) => {
    const half = (start[axis] + goal[axis]) / 2;
    return Math.min(Math.max(half + aside[axis], 2 * EDGE - half), 2 * (size[axis] - EDGE) - half);
  });
  const all = Array.from({ length: STEPS + 1 }, (_, i) => {
    const t = i / STEPS;
    return [0, 1].map((axis) => (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * goal[axis]);
  });
  return all.filter((point) => !holds(from, point, 2) && !holds(to, point, 10));
}

function add(parent, kind, values) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  return parent.appendChild(element);
}

function arrow(way, size) {
  const [from, to] = [find(way[0], true), find(way[1], false)];
  if (!from || !to) return;
  const line = points(boxOf(from), boxOf(to));
  if (line.length < 3) return;
  const group = add(layer, "g", { class: "arrow", "data-from": way[0], "data-to": way[1] });
  const [tip, behind] = [line.at(-1), line.at(-3)];
  const angle = (Math.atan2(tip[1] - behind[1], tip[0] - behind[0]) * 180) / Math.PI;
  const path = `M${line.slice(0, -1).map((point) => point.map((one) => one.toFixed(1)).join(" ")).join("L")}`;
  const head = `M${-size} ${-size}L${size * 0.9} 0L${-size} ${size}L${-size * 0.5} 0Z`;
  for (const kind of ["casing", "line"]) {
    add(group, "path", { class: kind, d: path, pathLength: 1, "stroke-width": (size * (kind === "line" ? 0.5 : 0.85)).toFixed(1) });
    add(group, "path", { class: `${kind} head`, d: head, transform: `translate(${tip[0].toFixed(1)} ${tip[1].toFixed(1)}) rotate(${angle.toFixed(1)})` });
  }
}

function redraw() {
  layer.replaceChildren();
  layer.dataset.state = shown.state;
  const size = Math.min(Math.max(Math.min(ground.offsetWidth, ground.offsetHeight) / 55, 7), 18);
  for (const way of shown.ways) arrow(way, size);
}

export function drawArrows(trail) {
  const fresh = JSON.stringify(trail) !== JSON.stringify(shown);
  shown = trail;
  layer.classList.toggle("fresh", fresh); // drawn as it happens once, not again at every redraw
  redraw();
}

layer.addEventListener("animationend", ({ animationName }) => {
  if (animationName === "arrive") layer.classList.remove("fresh"); // the head comes last
});
new ResizeObserver(redraw).observe(ground); // the felt often changes with the very move whose arrow is being drawn
addEventListener("looks", () => requestAnimationFrame(redraw));
document.fonts?.ready.then(redraw);
