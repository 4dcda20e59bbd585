// The tones of the page, in the rhythm of the table's buzzer; each has a caption, for people who do not hear it.

const SHOWN_MS = 4000;
const RHYTHMS = {
  stopped: [[0, 0.75]],
  violation: [[0, 0.125], [0.25, 0.375], [0.5, 0.625]],
  question: [[0, 0.5]],
  over: [[0, 0.5], [0.625, 0.75], [0.875, 1]],
  final_turns: [[0, 0.125], [0.25, 0.75]],
  trouble: [[0, 0.0625]],
};
const PITCHES = { stopped: 392, violation: 330, question: 523, over: 659, final_turns: 587, trouble: 294 }; // Hz

const caption = document.getElementById("caption");
const captions = caption ? JSON.parse(caption.dataset.captions) : {};
let context = null;
let hiding = 0;

// Browsers let a page sound only after somebody has touched it.
export function wake() {
  const Context = window.AudioContext ?? window.webkitAudioContext;
  if (!Context) return;
  context ??= new Context();
  if (context.state !== "running") context.resume().catch(() => {});
}

export function sound(name, volume) {
  clearTimeout(hiding);
  caption.textContent = `♪ ${captions[name]}`;
  caption.hidden = false;
  hiding = setTimeout(() => { caption.hidden = true; }, SHOWN_MS);
  if (context?.state === "running") for (const [from, to] of RHYTHMS[name]) tone(PITCHES[name], from, to, volume);
}

function tone(pitch, from, to, volume) {
  const start = context.currentTime + from;
  const end = context.currentTime + to;
  const wave = context.createOscillator();
  const loudness = context.createGain();
  wave.frequency.value = pitch;
  // A short rise and fall, so that it does not click.
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(0.35 * volume, start + 0.015);
  loudness.gain.setValueAtTime(0.35 * volume, Math.max(start + 0.015, end - 0.03));
  loudness.gain.linearRampToValueAtTime(0, end);
  wave.connect(loudness).connect(context.destination);
  wave.start(start);
  wave.stop(end + 0.01);
}
