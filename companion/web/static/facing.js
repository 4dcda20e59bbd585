// Turns the table towards the player in turn, where this browser wants it.  On a screen that stands, his seat moves to the near
// edge.  A screen that lies in the middle turns its whole page by quarters instead, seats and all, so that each player stays where
// he sits, and what he reads and taps is never upside down for him.

const QUARTERS = { 2: [0, 180], 3: [0, 90, 270], 4: [0, 90, 180, 270], 5: [0, 90, 180, 180, 270] };
const SETTLE_MS = 700; // a tap that was meant for what stood there before counts for nothing

const body = document.body;
const own = body.dataset.own;
let seat = null;
let settling = 0;

function wanted() {
  return own === undefined ? document.documentElement.dataset.facing : "still"; // a player's phone is his already
}

// Nothing may turn away from under a hand that is choosing something.
function isBusy() {
  return document.querySelector("dialog[open], details.menu[open]") !== null;
}

function place(near) {
  const seats = document.querySelectorAll(".seat");
  seats.forEach((one, number) => {
    one.className = `seat at-${(number - near + seats.length) % seats.length}`;
  });
  return seats.length;
}

function turn() {
  const facing = wanted();
  const near = facing === "still" || seat === null ? Number(own ?? 0) : seat;
  const angle = facing === "page" ? QUARTERS[place(near)][near] : (place(near), 0);
  const before = body.dataset.turned ?? "0";
  body.dataset.turned = String(angle);
  if (before === String(angle)) return;
  body.dataset.turning = "";
  clearTimeout(settling);
  settling = setTimeout(() => delete body.dataset.turning, SETTLE_MS);
}

function whenFree() {
  if (!isBusy()) turn();
}

// `current` is the seat in turn, null where nobody is: then the table lies as at first.
export function face(current) {
  seat = current;
  whenFree();
}

addEventListener("looks", turn);
addEventListener("close", whenFree, true); // of a dialog
addEventListener("toggle", whenFree, true); // of the menu
