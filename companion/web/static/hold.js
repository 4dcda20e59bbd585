// Puts off what would redraw the page while a finger (or the mouse) is down: a tap counts only where the button that was
// pressed is still there when it is let go.

const LONGEST_MS = 1500; // a hand that rests on the tablet must not stop the page

export function whenNoFingerIsDown(draw) {
  let down = 0;
  let newest = null;
  let giving = 0;

  function release() {
    clearTimeout(giving);
    down = 0;
    if (newest === null) return;
    const state = newest;
    newest = null;
    draw(state);
  }

  addEventListener("pointerdown", () => {
    down += 1;
    clearTimeout(giving);
    giving = setTimeout(release, LONGEST_MS);
  }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    // The click comes right after the finger has left; what it does is up to the button as it was shown.
    addEventListener(end, () => setTimeout(() => { down > 1 ? (down -= 1) : release(); }), true);
  }

  return (state) => {
    if (down) newest = state;
    else draw(state);
  };
}
